import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media-address.ts';
import { type StageContent, visibleContent, visibleSong } from '../../../domain/stage-content.ts';
import type { Db } from '../../db/tables.ts';
import { livingSnapshots } from './sessions.repo.ts';
import { readSnapshot } from './snapshot.ts';
import type { VisitorSession } from './visitor-session.ts';

/** Has this visit come so far that it may have the file? Only what the stages handed out show, and the song, counts. */
export function mayReadMedia({ snapshot, position, answers }: VisitorSession, mediaId: string): boolean {
  const urls = [
    visibleSong(snapshot, position),
    ...visibleContent(snapshot, position, answers).flatMap(addressesOf),
  ];
  return urls.some((url) => url !== null && mediaIdOf(url) === mediaId);
}

function addressesOf(content: StageContent): (string | null)[] {
  if (content.stage === 'video') return [content.video_url, content.poster_url];
  if (content.stage === 'destination') return [content.immagine_destinazione_url];
  return content.stage === 'card' ? [content.biglietti_url] : [];
}

/** Where the tickets of a trip are, once its card is handed out; null before, and where there are none. */
export function ticketUrl({ snapshot, position, answers }: VisitorSession, viaggio: Viaggio): string | null {
  const card = visibleContent(snapshot, position, answers).find(
    (content) => content.stage === 'card' && content.viaggio === viaggio,
  );
  return card?.stage === 'card' ? card.biglietti_url : null;
}

/** The media that visits which can still go on refer to: their bytes must stay (decision 5). */
export async function livingMediaIds(db: Db, now: Date): Promise<Set<string>> {
  const snapshots = await livingSnapshots(db, now);
  const ids = snapshots.flatMap((stored) => addressesIn(readSnapshot(stored)).map(mediaIdOf));
  return new Set(ids.filter((id) => id !== null));
}

/** Every file a whole evening is made of. */
export function addressesIn({ config, poster_url }: Snapshot): (string | null)[] {
  return [
    poster_url,
    config.video_url,
    config.canzone_url,
    config.immagine_destinazione_url,
    config.immagine_destinazione_url_2,
    config.biglietti_url,
    config.biglietti_url_2,
  ];
}
