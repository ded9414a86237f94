import { binShortened } from '../../../texts/notifications.ts';
import { forgetBinned, listBin, mediaIdsIn } from '../../bin/bin.repo.ts';
import type { Deps } from '../../deps.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { findMedias } from './media.repo.ts';
import { sweepDeleted } from './media.sweeper.ts';
import { keptOnlyByBin } from './needed.ts';

export type SpaceDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'uploads' | 'now'>;

/**
 * Returns true if `bytes` are free on the disk. If not, deletes files of the bin first, provided that this frees
 * enough. Deletes nothing if files are not stored on this disk.
 */
export async function ensureFreeSpace(deps: SpaceDeps, bytes: number): Promise<boolean> {
  const { folder } = deps.uploads;
  const enough = async () => (await folder.freeBytes()) >= bytes;
  if (await enough()) return true;
  const binned = await findMedias(deps.db, [...(await keptOnlyByBin(deps.db, deps.now()))]);
  const freed = binned.reduce((sum, { size }) => sum + size, 0);
  if ((await folder.freeBytes()) + freed < bytes) return false;
  await purgeBinForSpace(deps, enough);
  return enough();
}

/** Deletes files of the bin early, oldest first, until `enough` returns true, and notifies the administrator. */
export async function purgeBinForSpace(deps: SpaceDeps, enough: () => Promise<boolean>): Promise<void> {
  if (!deps.storage.isOnDisk) return;
  const files = (await listBin(deps.db)).filter((row) => mediaIdsIn(row).length > 0).toReversed();
  let deletedCount = 0;
  for (const { id } of files) {
    if (await enough()) break;
    await deps.inTransaction((tx) => forgetBinned(tx, [id]));
    await sweepDeleted(deps);
    deletedCount += 1;
  }
  if (deletedCount === 0) return;
  const message = { type: 'error', success: false, error_message: binShortened(deletedCount) } as const;
  await deps.inTransaction((tx) => enqueueNotification(tx, message, deps.now()));
}
