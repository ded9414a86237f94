import { randomFillSync } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DISK_SPACE } from '../../domain/limits.ts';

/** A placeholder file, deleted when the disk is full so that a visit's own writes (entries, positions, answers: a few kB) succeed. */
export type Reserve = {
  /** Deletes the file at once; does nothing if it is missing. */
  release(): void;
  exists(): boolean;
  /** Creates the file if it is missing and enough space remains. Returns true if it exists. */
  make(): Promise<boolean>;
  /** Sets the listener that is called when it is deleted. */
  onRelease(listener: () => void): void;
};

const CHUNK = 1024 * 1024;

/**
 * Opens the reserve of a data directory. Deletes it if almost no space is free, so that the server can start.
 * @param freeBytes returns the free bytes
 */
export function openReserve(dataDir: string, freeBytes: () => number = () => freeBytesOf(dataDir)): Reserve {
  const file = join(dataDir, 'reserve');
  let onReleased = () => {};
  const sizeNow = () => statSync(file, { throwIfNoEntry: false })?.size;
  const reserve: Reserve = {
    release() {
      if (sizeNow() === undefined) return;
      rmSync(file, { force: true });
      onReleased();
    },
    exists: () => sizeNow() === DISK_SPACE.reserve,
    async make() {
      if (reserve.exists()) return true;
      if (freeBytes() < DISK_SPACE.reserve + DISK_SPACE.low) return false;
      await fill(file);
      return true;
    },
    onRelease: (listener) => (onReleased = listener),
  };
  if (freeBytes() < MIN_BYTES_TO_START) reserve.release();
  return reserve;
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
