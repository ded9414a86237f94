import type { MediaItem } from '../../../contract/admin/media-item.ts';
import { mediaIdOf, mediaUrl } from '../../../domain/media-address.ts';
import { type LevelledSlot, MEDIA_SLOTS } from '../../../domain/media-slots.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { lockConfig, setConfig } from '../config/config.repo.ts';
import { setVideoFile } from './library.repo.ts';
import { readSlot, type Saved } from './library.service.ts';
import { findMedia } from './media.repo.ts';
import { leaveMedia } from './media.service.ts';

export type InSlot = { slot: LevelledSlot; id: string };

/** A file of a slot, by the id that the list gives it; undefined where there is none. */
export async function itemIn(db: Db, { slot, id }: InSlot): Promise<MediaItem | undefined> {
  return (await readSlot(db, slot)).items.find((item) => item.id === id);
}

/**
 * Puts another file where one is, in the list and in the configuration that points to it. The caller holds the configuration (`lockConfig`).
 * False, and nothing done, where that file isn't there any more.
 */
export async function putInstead(
  tx: Db,
  { slot, id }: InSlot,
  { from, url, now }: { from: string; url: string; now: Date },
): Promise<boolean> {
  const item = await itemIn(tx, { slot, id });
  if (item?.url !== from) return false;
  if (slot === 'video') await setVideoFile(tx, id, url);
  if (item.attivo) await setConfig(tx, { [MEDIA_SLOTS[slot].field]: url }, now);
  return true;
}

/** «Torna al volume originale»: the file that it was made of is in its place again. */
export async function restoreVolume(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  _actor: AdminActor,
  where: InSlot,
): Promise<Saved | Refused<'NOT_FOUND'>> {
  const saved = await deps.inTransaction(async (tx) => {
    await lockConfig(tx);
    const item = await itemIn(tx, where);
    const levelled = item === undefined ? null : await findMedia(tx, mediaIdOf(item.url) ?? '');
    const original = await findMedia(tx, levelled?.original ?? '');
    if (item === undefined || levelled === null || original === null)
      return { refused: 'NOT_FOUND' as const };
    const now = deps.now();
    await putInstead(tx, where, { from: item.url, url: mediaUrl(original), now });
    await leaveMedia(tx, levelled.id, now);
    return readSlot(tx, where.slot);
  });
  if (!isRefused(saved)) announce(deps, 'config');
  return saved;
}
