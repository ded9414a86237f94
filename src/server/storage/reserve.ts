import { randomFillSync } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DISK_SPACE } from '../../domain/limits.ts';

/**
 * A file that only takes up room: when the disk is full it is let go, and what the evening writes (entries, places, answers: some kB a visit)
 * goes on.
 */
export type Reserve = {
  /** Frees the room at once. Nothing happens where it was let go before. */
  release(): void;
  exists(): boolean;
  /** Makes it, if it isn't there and enough stays free besides. Is it there now? */
  make(): Promise<boolean>;
  /** Called when it is let go. */
  onRelease(listener: () => void): void;
};

const CHUNK = 1024 * 1024;

/**
 * The reserve of a data directory. Where next to nothing is free it is let go here, so that a product whose disk is full can start.
 * @param room how many bytes are free there
 */
export function openReserve(dataDir: string, room: () => number = () => roomIn(dataDir)): Reserve {
  const file = join(dataDir, 'reserve');
  let told = () => {};
  const sizeNow = () => statSync(file, { throwIfNoEntry: false })?.size;
  const reserve: Reserve = {
    release() {
      if (sizeNow() === undefined) return;
      rmSync(file, { force: true });
      told();
    },
    exists: () => sizeNow() === DISK_SPACE.reserve,
    async make() {
      if (reserve.exists()) return true;
      if (room() < DISK_SPACE.reserve + DISK_SPACE.low) return false;
      await fill(file);
      return true;
    },
    onRelease: (listener) => (told = listener),
  };
  if (room() < LEAST_TO_START) reserve.release();
  return reserve;
}

/** A lock's journal, the log of the database and its index, in bytes, and some more. */
const LEAST_TO_START = 4 * 1024 ** 2;

/** Bytes that are free where a folder lies. */
function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Noise: a file system that compresses would make nothing of zeros. It needn't survive a power cut. */
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
