import { fieldsOf } from '../../../domain/configuration.ts';
import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import {
  type StageContent,
  type StoredAnswers,
  visibleContent,
  visibleSong,
  visibleStepCount,
} from '../../../domain/stage-content.ts';
import type { Db } from '../../db/tables.ts';
import { keepsakeSnapshots } from './keepsake.ts';
import { resumableSnapshots } from './sessions.repo.ts';
import { loadVisitPlan, type VisitPlan } from './snapshot.ts';
import type { VisitHolder, VisitorSession } from './visitor.ts';

/** Returns the plan of a session that may read the file, or null. */
export async function findPlanWithMedia(
  db: Db,
  { row }: Pick<VisitHolder, 'row'>,
  mediaId: string,
): Promise<VisitPlan | null> {
  const evening = await loadVisitPlan(db, row);
  return canReadMedia({ ...evening, position: row }, mediaId) ? evening : null;
}

/** Ids of readable files, by snapshot and number of handed-out stages. */
const reachedIds = new WeakMap<Snapshot, Map<number, ReadonlySet<string>>>();
const UNANSWERED: StoredAnswers = new Map();

/**
 * Returns true if this visit may read the file: a stage that was handed out shows it, or it is the song. Answers select texts, never files.
 */
export function canReadMedia(
  { snapshot, steps, position }: Pick<VisitorSession, 'snapshot' | 'steps' | 'position'>,
  mediaId: string,
): boolean {
  const byStages = reachedIds.get(snapshot) ?? new Map<number, ReadonlySet<string>>();
  reachedIds.set(snapshot, byStages);
  const stages = visibleStepCount(steps, position);
  const known = byStages.get(stages);
  if (known !== undefined) return known.has(mediaId);
  // The song's address for a player also contains its start point.
  const song = visibleSong(snapshot, position) === null ? null : snapshot.config.canzone_url;
  const urls = [song, ...visibleContent(snapshot, position, UNANSWERED).flatMap(addressesOf)];
  const ids = new Set(urls.map(mediaIdOf).filter((id) => id !== null));
  byStages.set(stages, ids);
  return ids.has(mediaId);
}

/** Companion files of the film. */
const filmCompanions = ({
  poster_url,
  light_url,
  captions,
}: Pick<Snapshot, 'poster_url' | 'light_url' | 'captions'>) => [poster_url, light_url, captions?.url ?? null];

function addressesOf(content: StageContent): (string | null)[] {
  if (content.stage === 'video') return [content.video_url, ...filmCompanions(content)];
  if (content.stage === 'destination') return [content.immagine_destinazione_url];
  if (content.stage !== 'card') return [];
  const { immagine_destinazione_url, biglietti_url, ticket_pages } = content;
  return [immagine_destinazione_url, biglietti_url, ...(ticket_pages ?? [])];
}

/** Returns the address of a trip's tickets once its card is handed out; null before, and without tickets. */
export function ticketUrl({ snapshot, position, answers }: VisitorSession, viaggio: Viaggio): string | null {
  const card = visibleContent(snapshot, position, answers).find(
    (content) => content.stage === 'card' && content.viaggio === viaggio,
  );
  return card?.stage === 'card' ? card.biglietti_url : null;
}

/** Returns the media of visits that can continue or be viewed again: their bytes must stay (decision 064). */
export async function referencedMediaIds(db: Db, now: Date): Promise<Set<string>> {
  const hashes = [...(await resumableSnapshots(db, now)), ...(await keepsakeSnapshots(db, now))];
  const evenings = await Promise.all(hashes.map((snapshot_hash) => loadVisitPlan(db, { snapshot_hash })));
  const ids = evenings.flatMap(({ snapshot }) => addressesIn(snapshot).map(mediaIdOf));
  return new Set(ids.filter((id) => id !== null));
}

/** Returns the addresses of all files of an evening. */
export function addressesIn({ config, ...snapshot }: Snapshot): (string | null)[] {
  const pages = [snapshot.ticket_pages, snapshot.ticket_pages_2].flatMap((each) => each ?? []);
  return [...filmCompanions(snapshot), ...pages, ...fieldsOf('file').map((field) => config[field])];
}
