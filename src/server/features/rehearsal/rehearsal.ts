import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import { tripOf } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media-address.ts';
import type { Deps } from '../../deps.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import { findConfig } from '../config/config.repo.ts';
import { addressesIn } from '../visit/media-access.ts';
import { type CheckedSnapshot, createSnapshot } from '../visit/snapshot.ts';
import type { Spectator } from './spectator.ts';

type Unready = Refusal<'CONFIG_MISSING' | 'VIDEO_MISSING'>;

/** Returns the content of a visit that began now, or a refusal if none could begin. Writes nothing. */
export async function rehearsedContent(
  { db }: Pick<Deps, 'db'>,
  _spectator: Spectator,
): Promise<CheckedSnapshot | Unready> {
  const row = await findConfig(db);
  if (row === undefined) return { refused: 'CONFIG_MISSING' };
  return row.video_url === null ? { refused: 'VIDEO_MISSING' } : createSnapshot(db, row);
}

/** Returns true if the configuration points to this file now. A spectator may have no other. */
export async function isRehearsedMedia(
  deps: Pick<Deps, 'db'>,
  spectator: Spectator,
  mediaId: string,
): Promise<boolean> {
  const content = await rehearsedContent(deps, spectator);
  return !isRefused(content) && addressesIn(content).some((url) => mediaIdOf(url) === mediaId);
}

/** Returns the media id of a trip's current tickets, or null. */
export async function rehearsedTickets(
  deps: Pick<Deps, 'db'>,
  spectator: Spectator,
  viaggio: Viaggio,
): Promise<string | null> {
  const content: Snapshot | Unready = await rehearsedContent(deps, spectator);
  return isRefused(content) ? null : mediaIdOf(tripOf(content, viaggio).biglietti_url);
}
