import { hash } from 'node:crypto';
import { z } from 'zod';
import { snapshotSchema } from '../../../contract/records.ts';
import { NO_QUESTIONS } from '../../../domain/configuration.ts';
import { type Snapshot, TRIPS, tripOf } from '../../../domain/content.ts';
import { itinerary, type Step } from '../../../domain/itinerary.ts';
import { withRecipientName } from '../../../domain/recipient-name.ts';
import type { Db } from '../../db/tables.ts';
import type { ConfigRow } from '../config/config.repo.ts';
import { configurationOf, EMPTY_CONFIGURATION } from '../config/config-row.ts';
import { readQuestions } from '../config/questions.repo.ts';
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

/** As it is stored: visits that began before there was a field go on, with what the field holds before anything is saved. */
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

/** The domain's `Snapshot` as it is stored and sent: every field has been checked. */
export type CheckedSnapshot = z.infer<typeof snapshotSchema>;

/** What a visit that begins now will see to its end, with her name in place of every `{nome}`. */
export async function createSnapshot(tx: Db, row: ConfigRow): Promise<CheckedSnapshot> {
  return (await createStoredSnapshot(tx, row)).snapshot;
}

/** What was taken, and as it is to be stored. */
type NewSnapshot = { snapshot: CheckedSnapshot; hash: string; body: string };

/** The same as it is to be stored. */
export async function createStoredSnapshot(tx: Db, row: ConfigRow): Promise<NewSnapshot> {
  const { immagine_destinazione_url: first, immagine_destinazione_url_2: second, video_url } = row;
  const [questions, beside, pictures, tickets] = await Promise.all([
    readQuestions(tx),
    video_url === null ? NO_FILM_EXTRAS : findFilmExtras(tx, video_url),
    findPictures(tx, { first, second }),
    findTicketPages(tx, row),
  ]);
  return madeOnce({
    row,
    questions,
    beside,
    first: pictures.get(first),
    second: pictures.get(second),
    tickets,
  });
}

type Parts = {
  row: ConfigRow;
  questions: Awaited<ReturnType<typeof readQuestions>>;
  beside: FilmExtras;
  first: PictureFacts | undefined;
  second: PictureFacts | undefined;
  tickets: TicketPages;
};

/** What was made last, and of what: it is the same until something is saved. */
let lastMade: (NewSnapshot & { of: string }) | null = null;

function madeOnce(parts: Parts): NewSnapshot {
  const of = JSON.stringify(parts);
  if (lastMade?.of !== of) {
    const snapshot = madeOf(parts);
    lastMade = { of, snapshot, ...serializeSnapshot(snapshot) };
  }
  return lastMade;
}

function madeOf({ row, questions, beside, first, second, tickets }: Parts): CheckedSnapshot {
  return withRecipientName({
    config: configurationOf(row),
    questions,
    ...beside,
    fuoco: first?.fuoco ?? null,
    fuoco_2: second?.fuoco ?? null,
    hues: first?.hues ?? null,
    hues_2: second?.hues ?? null,
    ...tickets,
  });
}

/** As it is stored. */
export function serializeSnapshot(snapshot: CheckedSnapshot): { hash: string; body: string } {
  const body = JSON.stringify(snapshot);
  return { body, hash: hash('sha256', body) };
}

/** A stored snapshot, named even where it was stored by a version that knew no `{nome}`. Throws when it doesn't fit the schema. */
export function parseSnapshot(stored: string): Snapshot {
  return withRecipientName(storedSnapshotSchema.parse(JSON.parse(stored)));
}

/** What a session began with, and the way through it. */
export type VisitPlan = { snapshot: Snapshot; steps: readonly Step[] };

/** So many are remembered in this process: more are seldom under way at once. */
const REMEMBERED = 200;
const evenings = new Map<string, VisitPlan>();

/**
 * What visits with this hash began with. It is read once in this process; again while its tickets aren't drawn: it may have begun before they were.
 */
export async function loadVisitPlan(
  db: Db,
  { snapshot_hash: hash }: { snapshot_hash: string },
): Promise<VisitPlan> {
  const known = evenings.get(hash);
  if (known !== undefined) return known;
  const stored = parseSnapshot(await findSnapshot(db, hash));
  const snapshot = hasUndrawnTickets(stored)
    ? { ...stored, ...(await findTicketPages(db, stored.config)) }
    : stored;
  const evening = { snapshot, steps: itinerary(snapshot) };
  if (hasUndrawnTickets(snapshot)) return evening;
  const [oldest] = evenings.keys();
  if (evenings.size >= REMEMBERED && oldest !== undefined) evenings.delete(oldest);
  evenings.set(hash, evening);
  return evening;
}

const hasUndrawnTickets = (snapshot: Snapshot): boolean =>
  TRIPS.some((viaggio) => {
    const { biglietti_url, ticket_pages } = tripOf(snapshot, viaggio);
    return biglietti_url !== null && ticket_pages === null;
  });
