import type { MediaItem } from '../../../contract/admin/media-item.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import type { Refused } from '../../refused.ts';
import { lockConfig } from '../config/config.repo.ts';
import { filmItem, videoOf } from '../media/library.service.ts';
import { setLightOn } from './light.repo.ts';

/**
 * Turns a film's light version on or off. Off, visits that begin are handed none and none is made; what was made stays beside its film, so that on again
 * hands it out at once. Visits that have begun keep what they began with.
 */
export async function wantLight(
  deps: Pick<Deps, 'inTransaction' | 'live' | 'log'>,
  _actor: AdminActor,
  { id, on }: { id: string; on: boolean },
): Promise<{ item: MediaItem; versione: number } | Refused<'NOT_FOUND'>> {
  const saved = await deps.inTransaction(async (tx) => {
    await lockConfig(tx);
    if ((await videoOf(tx, id)) === null) return null;
    await setLightOn(tx, id, on);
    return filmItem(tx, id);
  });
  if (saved === null) return { refused: 'NOT_FOUND' };
  announce(deps, 'config');
  return saved;
}
