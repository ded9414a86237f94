import { binGaveWay } from '../../../texts/notifications.ts';
import { forgetBinned, listBin, mediaIdsIn } from '../../bin/bin.repo.ts';
import type { Deps } from '../../deps.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { findMedias } from './media.repo.ts';
import { sweepDeleted } from './media.sweeper.ts';
import { onlyBinned } from './needed.ts';

export type RoomDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'uploads' | 'now'>;

/**
 * Are so many bytes free on the disk? Where they aren't, and would be without what lies in the bin, the bin gives way first; where the files are
 * elsewhere that would bring nothing.
 */
export async function hasRoom(deps: RoomDeps, bytes: number): Promise<boolean> {
  const { folder } = deps.uploads;
  const enough = async () => (await folder.room()) >= bytes;
  if (await enough()) return true;
  const binned = await findMedias(deps.db, [...(await onlyBinned(deps.db, deps.now()))]);
  const freed = binned.reduce((sum, { size }) => sum + size, 0);
  if ((await folder.room()) + freed < bytes) return false;
  await binGivesWay(deps, enough);
  return enough();
}

/** Lets files of the bin go before their time, the oldest first, until there is enough room; the administrator is told. */
export async function binGivesWay(deps: RoomDeps, enough: () => Promise<boolean>): Promise<void> {
  if (!deps.storage.isOnDisk) return;
  const files = (await listBin(deps.db)).filter((row) => mediaIdsIn(row).length > 0).toReversed();
  let gone = 0;
  for (const { id } of files) {
    if (await enough()) break;
    await deps.inTransaction((tx) => forgetBinned(tx, [id]));
    await sweepDeleted(deps);
    gone += 1;
  }
  if (gone === 0) return;
  const message = { type: 'error', success: false, error_message: binGaveWay(gone) } as const;
  await deps.inTransaction((tx) => enqueueNotification(tx, message, deps.now()));
}
