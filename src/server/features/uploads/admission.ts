import { DISK_ROOM } from '../../../domain/limits.ts';
import type { UploadFolder } from './upload-folder.ts';

/** An upload nobody has written to for this long (ms) may give way to a new one. */
const IDLE_MS = 10 * 60_000;

/**
 * Is there room for one more upload? Beyond `most` unfinished ones the one that has been idle longest gives way.
 * A file lies three times on the disk for a moment: as it came, as it was made, and where it is kept.
 */
export async function makeRoom(
  folder: UploadFolder,
  { size, most }: { size: number; most: number },
): Promise<'STORAGE_FULL' | 'UPLOADS_BUSY' | null> {
  const all = (await folder.list()).flatMap(({ upload }) => upload ?? []);
  const unfinished = all.filter(({ size: whole, offset }) => offset < whole);
  if (unfinished.length >= most) {
    const idle = unfinished
      .filter(({ touched }) => Date.now() - touched > IDLE_MS)
      .toSorted((a, b) => a.touched - b.touched);
    const [oldest] = idle;
    if (oldest === undefined) return 'UPLOADS_BUSY';
    await folder.remove(oldest.id);
  }
  const stillToCome = unfinished.reduce((sum, { size: whole, offset }) => sum + whole - offset, 0);
  return (await folder.room()) < 3 * size + stillToCome + DISK_ROOM.low ? 'STORAGE_FULL' : null;
}
