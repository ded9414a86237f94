import { hash } from 'node:crypto';
import { z } from 'zod';
import { snapshotSchema } from '../../../contract/model.ts';
import { NO_QUESTIONS } from '../../../domain/configuration.ts';
import { type Snapshot, TRIPS, tripOf, withoutHiddenTrip } from '../../../domain/content.ts';
import { itinerary, type Step } from '../../../domain/itinerary.ts';
import { withRecipientName } from '../../../domain/recipient-name.ts';
import type { Db } from '../../db/tables.ts';
import { type ConfigRow, configurationOf, EMPTY_CONFIGURATION, readQuestions } from '../config/config.ts';
import type { PictureFacts } from './picture-facts.ts';
import { findSnapshot } from './snapshots.repo.ts';
import {
  type FilmExtras,
  findFilmExtras,
  findPictures,
  findTicketPages,
  NO_FILM_EXTRAS,
  type TicketPages,
} from './visit.repo.ts';

/** Schema of a stored snapshot. Fields that are newer than the visit get the value of an empty configuration. */
const storedSnapshotSchema = snapshotSchema.extend({
  config: z.preprocess(filledFrom(EMPTY_CONFIGURATION), snapshotSchema.shape.config),
  questions: z.preprocess(filledFrom(NO_QUESTIONS), snapshotSchema.shape.questions),
  light_url: snapshotSchema.shape.light_url.default(null),
  captions: snapshotSchema.shape.captions.default(null),
  video_bitrate: snapshotSchema.shape.video_bitrate.default(null),
  fuoco: snapshotSchema.shape.fuoco.default(null),
  fuoco_2: snapshotSchema.shape.fuoco_2.default(null),
  hues: snapshotSchema.shape.hues.default(null),
  hues_2: snapshotSchema.shape.hues_2.default(null),
  ticket_pages: snapshotSchema.shape.ticket_pages.default(null),
  ticket_pages_2: snapshotSchema.shape.ticket_pages_2.default(null),
});

function filledFrom(empty: object): (stored: unknown) => unknown {
  return (stored) => (stored !== null && typeof stored === 'object' ? { ...empty, ...stored } : stored);
}

/** The domain's `Snapshot` with every field validated, as it is stored and sent. */
export type CheckedSnapshot = z.infer<typeof snapshotSchema>;

/** Returns the content of a visit that begins now, with the recipient's name for every `{nome}`. */
export async function createSnapshot(tx: Db, row: ConfigRow): Promise<CheckedSnapshot> {
  return (await createStoredSnapshot(tx, row)).snapshot;
}

/** A snapshot and its stored form. */
type NewSnapshot = { snapshot: CheckedSnapshot; hash: string; body: string };

/** Like `createSnapshot`, with the stored form. */
export async function createStoredSnapshot(tx: Db, row: ConfigRow): Promise<NewSnapshot> {
  const { immagine_destinazione_url: first, immagine_destinazione_url_2: second, video_url } = row;
  const [questions, extras, pictures, tickets] = await Promise.all([
    readQuestions(tx),
    video_url === null ? NO_FILM_EXTRAS : findFilmExtras(tx, video_url),
    findPictures(tx, { first, second }),
    findTicketPages(tx, row),
  ]);
  return cachedSnapshot({
    row,
    questions,
    extras,
    first: pictures.get(first),
    second: pictures.get(second),
    tickets,
  });
}

type Parts = {
  row: ConfigRow;
  questions: Awaited<ReturnType<typeof readQuestions>>;
  extras: FilmExtras;
  first: PictureFacts | undefined;
  second: PictureFacts | undefined;
  tickets: TicketPages;
};

/** The last snapshot and its inputs (`of`), reused until one of them changes. */
let lastSnapshot: (NewSnapshot & { of: string }) | null = null;

function cachedSnapshot(parts: Parts): NewSnapshot {
  const of = JSON.stringify(parts);
  if (lastSnapshot?.of !== of) {
    const snapshot = buildSnapshot(parts);
    lastSnapshot = { of, snapshot, ...serializeSnapshot(snapshot) };
  }
  return lastSnapshot;
}

function buildSnapshot({ row, questions, extras, first, second, tickets }: Parts): CheckedSnapshot {
  const evening = {
    config: configurationOf(row),
    questions,
    ...extras,
    fuoco: first?.fuoco ?? null,
    fuoco_2: second?.fuoco ?? null,
    hues: first?.hues ?? null,
    hues_2: second?.hues ?? null,
    ...tickets,
  };
  return withRecipientName(withoutHiddenTrip(evening));
}

/** Returns the stored form of a snapshot. */
export function serializeSnapshot(snapshot: CheckedSnapshot): { hash: string; body: string } {
  const body = JSON.stringify(snapshot);
  return { body, hash: hash('sha256', body) };
}

/** Parses a stored snapshot and replaces `{nome}`, which older versions stored. Throws if it doesn't match the schema. */
export function parseSnapshot(stored: string): Snapshot {
  return withRecipientName(storedSnapshotSchema.parse(JSON.parse(stored)));
}

/** The content of a visit and its steps. */
export type VisitPlan = { snapshot: Snapshot; steps: readonly Step[] };

/** Plans cached in this process; more are rarely in use at once. */
const CACHE_SIZE = 200;
const planCache = new Map<string, VisitPlan>();

/**
 * Returns the plan of visits with this hash. Cached in this process, except while its tickets aren't drawn:
 * it may have begun before they were.
 */
export async function loadVisitPlan(
  db: Db,
  { snapshot_hash: hash }: { snapshot_hash: string },
): Promise<VisitPlan> {
  const known = planCache.get(hash);
  if (known !== undefined) return known;
  const stored = parseSnapshot(await findSnapshot(db, hash));
  const snapshot = hasUndrawnTickets(stored)
    ? { ...stored, ...(await findTicketPages(db, stored.config)) }
    : stored;
  const evening = { snapshot, steps: itinerary(snapshot) };
  if (hasUndrawnTickets(snapshot)) return evening;
  const [oldest] = planCache.keys();
  if (planCache.size >= CACHE_SIZE && oldest !== undefined) planCache.delete(oldest);
  planCache.set(hash, evening);
  return evening;
}

const hasUndrawnTickets = (snapshot: Snapshot): boolean =>
  TRIPS.some((viaggio) => {
    const { biglietti_url, ticket_pages } = tripOf(snapshot, viaggio);
    return biglietti_url !== null && ticket_pages === null;
  });
