import { fieldsOf } from '../../../domain/configuration.ts';
import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media-address.ts';
import { visibleStepCount } from '../../../domain/position.ts';
import {
  type StageContent,
  type StoredAnswers,
  visibleContent,
  visibleSong,
} from '../../../domain/stage-content.ts';
import type { Db } from '../../db/tables.ts';
import { keepsakeSnapshots } from './keepsake.ts';
import { resumableSnapshots } from './sessions.repo.ts';
import { loadVisitPlan, type VisitPlan } from './snapshot.ts';
import type { FilmExtras } from './visit.repo.ts';
import type { VisitHolder, VisitorSession } from './visitor-session.ts';

type Reached = Pick<VisitorSession, 'snapshot' | 'steps' | 'position'>;

/** Has this visit come so far that it may have the file? Only what the stages handed out show, and the song, counts. */
export function canReadMedia(reached: Reached, mediaId: string): boolean {
  return mediaReached(reached).has(mediaId);
}

/** The same of a session: the evening that lets it have the file, or null. */
export async function findPlanWithMedia(
  db: Db,
  { row }: Pick<VisitHolder, 'row'>,
  mediaId: string,
): Promise<VisitPlan | null> {
  const evening = await loadVisitPlan(db, row);
  return canReadMedia({ ...evening, position: row }, mediaId) ? evening : null;
}

/** By evening, and by how many of its stages are handed out. */
const known = new WeakMap<Snapshot, Map<number, ReadonlySet<string>>>();
const UNANSWERED: StoredAnswers = new Map();

/** The ids of the files that may be had. What was answered chooses words, never a file. */
function mediaReached({ snapshot, steps, position }: Reached): ReadonlySet<string> {
  const byStages = known.get(snapshot) ?? new Map<number, ReadonlySet<string>>();
  known.set(snapshot, byStages);
  const stages = visibleStepCount(steps, position);
  const found = byStages.get(stages);
  if (found !== undefined) return found;
  // The song's address for a player also tells where it starts.
  const song = visibleSong(snapshot, position) === null ? null : snapshot.config.canzone_url;
  const urls = [song, ...visibleContent(snapshot, position, UNANSWERED).flatMap(addressesOf)];
  const ids = new Set(urls.map(mediaIdOf).filter((id) => id !== null));
  byStages.set(stages, ids);
  return ids;
}

/** The files that come with the film. */
const besideFilm = ({ poster_url, light_url, captions }: Pick<Snapshot, keyof FilmExtras>) => [
  poster_url,
  light_url,
  captions?.url ?? null,
];

function addressesOf(content: StageContent): (string | null)[] {
  if (content.stage === 'video') return [content.video_url, ...besideFilm(content)];
  if (content.stage === 'destination') return [content.immagine_destinazione_url];
  if (content.stage !== 'card') return [];
  const { immagine_destinazione_url, biglietti_url, ticket_pages } = content;
  return [immagine_destinazione_url, biglietti_url, ...(ticket_pages ?? [])];
}

/** Where the tickets of a trip are, once its card is handed out; null before, and where there are none. */
export function ticketUrl({ snapshot, position, answers }: VisitorSession, viaggio: Viaggio): string | null {
  const card = visibleContent(snapshot, position, answers).find(
    (content) => content.stage === 'card' && content.viaggio === viaggio,
  );
  return card?.stage === 'card' ? card.biglietti_url : null;
}

/** The media that visits which can still go on, or be looked at again, refer to: their bytes must stay (decisions 5 and 064). */
export async function referencedMediaIds(db: Db, now: Date): Promise<Set<string>> {
  const hashes = [...(await resumableSnapshots(db, now)), ...(await keepsakeSnapshots(db, now))];
  const evenings = await Promise.all(hashes.map((snapshot_hash) => loadVisitPlan(db, { snapshot_hash })));
  const ids = evenings.flatMap(({ snapshot }) => addressesIn(snapshot).map(mediaIdOf));
  return new Set(ids.filter((id) => id !== null));
}

/** Every file a whole evening is made of. */
export function addressesIn({ config, ...snapshot }: Snapshot): (string | null)[] {
  const pages = [snapshot.ticket_pages, snapshot.ticket_pages_2].flatMap((each) => each ?? []);
  return [...besideFilm(snapshot), ...pages, ...fieldsOf('file').map((field) => config[field])];
}
