import { randomFillSync } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, DISK_SPACE } from '../../domain/limits.ts';
import type { Env } from '../env.ts';
import { diskStorage } from './disk.ts';
import type { S3Settings } from './s3-bucket.ts';
import type { Storage } from './storage.ts';

export type StorageEnv = Pick<
  Env,
  'DATA_DIR' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_KEY' | 'S3_SECRET' | 'S3_PATH_STYLE'
>;

/**
 * Opens the storage: a bucket if `S3_…` is set, otherwise `DATA_DIR/media`. The S3 client is loaded only if needed.
 * @param alone true if no other process uses this `DATA_DIR`
 */
export async function openStorage(env: StorageEnv, { alone = false } = {}): Promise<Storage> {
  const settings = s3Settings(env);
  if (settings === null) return diskStorage(join(env.DATA_DIR, 'media'), { alone });
  const { s3Storage } = await import('./s3.ts');
  return s3Storage(settings, { copies: await copiesIn(join(env.DATA_DIR, 'lent'), alone) });
}

/** Returns the location for messages. */
export function storageName(env: StorageEnv): string {
  const settings = s3Settings(env);
  return settings === null
    ? join(env.DATA_DIR, 'media')
    : `the bucket ${settings.bucket} at ${settings.endpoint}`;
}

/** Age in ms at which a copy counts as a leftover of a crash; copies are used for hours at most. */
const ABANDONED_MS = DAY_MS;

/** Deletes leftover copies. The folder is created only when something is copied. */
async function copiesIn(folder: string, alone: boolean): Promise<() => Promise<Storage>> {
  for (const name of await readdir(folder).catch(() => [])) {
    const stats = await stat(join(folder, name)).catch(() => null);
    const isLeftover = stats !== null && (alone || Date.now() - stats.mtimeMs > ABANDONED_MS);
    if (isLeftover) await rm(join(folder, name), { force: true });
  }
  return () => diskStorage(folder);
}

/** The variables are set together or not at all (env.ts). */
function s3Settings(env: StorageEnv): S3Settings | null {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket, S3_KEY: key, S3_SECRET: secret } = env;
  if (!(endpoint && region && bucket && key && secret)) return null;
  return { endpoint, region, bucket, key, secret, pathStyle: env.S3_PATH_STYLE ?? true };
}

export type Reserve = ReturnType<typeof openReserve>;

const CHUNK = 1024 * 1024;

/**
 * Opens a data directory's reserve: a placeholder file, deleted when the disk is full so that a visit's own writes (entries, positions,
 * answers: a few kB) succeed. Deletes it if almost no space is free, so that the server can start.
 * @param freeBytes returns the free bytes
 */
export function openReserve(dataDir: string, freeBytes: () => number = () => freeBytesOf(dataDir)) {
  const file = join(dataDir, 'reserve');
  let onReleased = () => {};
  const sizeNow = () => statSync(file, { throwIfNoEntry: false })?.size;
  const exists = () => sizeNow() === DISK_SPACE.reserve;
  /** Deletes the file at once; does nothing if it is missing. */
  const release = () => {
    if (sizeNow() === undefined) return;
    rmSync(file, { force: true });
    onReleased();
  };
  if (freeBytes() < MIN_BYTES_TO_START) release();
  return {
    release,
    exists,
    /** Creates the file if it is missing and enough space remains. Returns true if it exists. */
    async make(): Promise<boolean> {
      if (exists()) return true;
      if (freeBytes() < DISK_SPACE.reserve + DISK_SPACE.low) return false;
      await fill(file);
      return true;
    },
    /** Sets the listener that is called when it is deleted. */
    onRelease: (listener: () => void) => void (onReleased = listener),
  };
}

/** Space in bytes for a lock's journal, the database's log and its index, plus a margin. */
const MIN_BYTES_TO_START = 4 * 1024 ** 2;

/** Returns the free bytes of a folder's disk. */
function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Writes random bytes: a compressing file system would reduce zeros to almost nothing. Needs no durability. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const noise = Buffer.allocUnsafe(CHUNK);
    for (let written = 0; written < DISK_SPACE.reserve; written += CHUNK)
      await file.write(randomFillSync(noise));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
