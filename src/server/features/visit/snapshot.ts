import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { ticketPageSchema } from '../../../contract/admin/media.ts';
import { drawnHuesSchema, snapshotSchema } from '../../../contract/model.ts';
import { NO_QUESTIONS } from '../../../domain/configuration.ts';
import { NO_FILE_FACTS, type Snapshot, TRIPS, tripOf, withoutHiddenTrip } from '../../../domain/content.ts';
import { itinerary, type Step } from '../../../domain/itinerary.ts';
import { bitrateOf, captionsFor, mediaIdOf, storedCaptions, type TicketPage } from '../../../domain/media.ts';
import type { Fuoco } from '../../../domain/pictures.ts';
import { withRecipientName } from '../../../domain/recipient-name.ts';
import { statement } from '../../db/statement.ts';
import type { Db, ImmaginiDestinazioneTable } from '../../db/tables.ts';
import { type ConfigRow, configurationOf, EMPTY_CONFIGURATION, readQuestions } from '../config/config.ts';

/** Schema of a stored snapshot. Fields that are newer than the visit get the value of an empty configuration. */
const storedSnapshotSchema = z.preprocess(
  filledFrom(NO_FILE_FACTS),
  snapshotSchema.extend({
    config: z.preprocess(filledFrom(EMPTY_CONFIGURATION), snapshotSchema.shape.config),
    questions: z.preprocess(filledFrom(NO_QUESTIONS), snapshotSchema.shape.questions),
  }),
);

function filledFrom(empty: object): (stored: unknown) => unknown {
  return (stored) => (stored !== null && typeof stored === 'object' ? { ...empty, ...stored } : stored);
}

/** Returns the content of a visit that begins now, with the recipient's name for every `{nome}`. */
export async function createSnapshot(tx: Db, row: ConfigRow): Promise<Snapshot> {
  return (await createStoredSnapshot(tx, row)).snapshot;
}

/** The last snapshot, its stored form and its inputs (`of`), reused until one of them changes. */
let lastSnapshot: { of: string; snapshot: Snapshot; hash: string; body: string } | null = null;

/** Like `createSnapshot`, with the stored form. */
export async function createStoredSnapshot(tx: Db, row: ConfigRow) {
  const [questions, film, pictures, tickets] = await Promise.all([
    readQuestions(tx),
    row.video_url === null ? {} : findFilmExtras(tx, row.video_url),
    findPictures(tx, row),
    findTicketPages(tx, row),
  ]);
  const facts = { ...NO_FILE_FACTS, ...film, ...pictures, ...tickets };
  const of = JSON.stringify({ row, questions, facts });
  if (lastSnapshot?.of !== of) {
    const snapshot = withRecipientName(
      withoutHiddenTrip({ config: configurationOf(row), questions, ...facts }),
    );
    lastSnapshot = { of, snapshot, ...serializeSnapshot(snapshot) };
  }
  return lastSnapshot;
}

/** Returns the stored form of a snapshot. */
export function serializeSnapshot(snapshot: Snapshot): { hash: string; body: string } {
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

const byHash = statement<{ hash: string }>()((db, value) =>
  db.selectFrom('visit_snapshots').select('body').where('hash', '=', value.hash),
);

/** Returns the stored snapshot with this hash. Rejects if it is missing. */
export async function findSnapshot(db: Db, hash: string): Promise<string> {
  const [found] = await byHash(db, { hash });
  if (found === undefined) throw new Error(`There is no snapshot ${hash}`);
  return found.body;
}

const findHash = statement<{ hash: string }>()((tx, value) =>
  tx.selectFrom('visit_snapshots').select('hash').where('hash', '=', value.hash),
);

/**
 * Stores the snapshot if it is missing. The caller must hold a code's lock, because erasing locks all codes:
 * otherwise the snapshot could be deleted before the visit refers to it.
 * A cache of stored hashes would be wrong after a rollback or an erasure.
 */
export async function saveSnapshot(tx: Db, { hash, body }: { hash: string; body: string }): Promise<void> {
  if ((await findHash(tx, { hash })).length > 0) return;
  await tx
    .insertInto('visit_snapshots')
    .values({ hash, body })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

/** Returns the fields shown with this video: poster, bitrate, captions, and the light version if it is enabled and made from this file. */
export async function findFilmExtras(db: Db, video_url: string): Promise<Partial<Snapshot>> {
  const [row] = await latestOf(db, { url: video_url, media_id: mediaIdOf(video_url) });
  if (row === undefined) return {};
  const { poster_url, light_url, light_of, light_on, seconds, size: bytes } = row;
  const isOfThisFile = light_of === video_url;
  return {
    poster_url,
    light_url: isOfThisFile && light_on ? light_url : null,
    video_bitrate: isOfThisFile && seconds !== null && bytes !== null ? bitrateOf({ bytes, seconds }) : null,
    captions: captionsFor(storedCaptions(row)),
  };
}

const latestOf = statement<{ url: string; media_id: string | null }>()((db, value) =>
  db
    .selectFrom('videos')
    .leftJoin('media', (join) => join.on('media.id', '=', value.media_id))
    .select(['poster_url', 'light_url', 'light_of', 'light_on', 'videos.seconds', 'size'])
    .select(['captions_url', 'captions_mode'])
    .where('url', '=', value.url)
    .orderBy('videos.created_at', 'desc')
    .limit(1),
);

type BothTrips = { first: string | null; second: string | null };

/** Returns the facts about the pictures of both trips. */
export async function findPictures(
  db: Db,
  config: Pick<Snapshot['config'], 'immagine_destinazione_url' | 'immagine_destinazione_url_2'>,
): Promise<Pick<Snapshot, 'fuoco' | 'fuoco_2' | 'hues' | 'hues_2'>> {
  const { immagine_destinazione_url: first, immagine_destinazione_url_2: second } = config;
  const rows = await bothPictures(db, { first, second });
  const factsOf = (url: string | null) => {
    const row = rows.findLast((each) => each.url === url);
    return row === undefined ? { fuoco: null, hues: null } : pictureFacts(row);
  };
  const { fuoco: fuoco_2, hues: hues_2 } = factsOf(second);
  return { ...factsOf(first), fuoco_2, hues_2 };
}

const bothPictures = statement<BothTrips>()((db, value) =>
  db
    .selectFrom('immagini_destinazione')
    .select(['url', 'fuoco_x', 'fuoco_y', 'hues'])
    .where((eb) => eb.or([eb('url', '=', value.first), eb('url', '=', value.second)])),
);

/** Returns a picture's focus point (null for its middle) and hues (null until they are drawn; invalid ones count as not drawn). */
export function pictureFacts({
  fuoco_x: x,
  fuoco_y: y,
  hues,
}: Pick<Selectable<ImmaginiDestinazioneTable>, 'fuoco_x' | 'fuoco_y' | 'hues'>): {
  fuoco: Fuoco | null;
  hues: string[] | null;
} {
  return {
    fuoco: x === null || y === null ? null : { x, y },
    hues: hues === null ? null : drawnHuesSchema.catch(null).parse(JSON.parse(hues)),
  };
}

/** Returns the pages of both trips' tickets as pictures. A ticket that is a picture is its own page. */
export async function findTicketPages(
  db: Db,
  config: Pick<Snapshot['config'], 'biglietti_url' | 'biglietti_url_2'>,
): Promise<Pick<Snapshot, 'ticket_pages' | 'ticket_pages_2'>> {
  const [first, second] = [mediaIdOf(config.biglietti_url), mediaIdOf(config.biglietti_url_2)];
  const rows = first === null && second === null ? [] : await bothTickets(db, { first, second });
  const pagesOf = (id: string | null, url: string | null): string[] | null => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined || url === null) return null;
    return row.content_type.startsWith('image/')
      ? [url]
      : (ticketPagesIn(row.pages)?.map((page) => page.url) ?? null);
  };
  return {
    ticket_pages: pagesOf(first, config.biglietti_url),
    ticket_pages_2: pagesOf(second, config.biglietti_url_2),
  };
}

const bothTickets = statement<BothTrips>()((db, value) =>
  db
    .selectFrom('media')
    .select(['id', 'content_type', 'pages'])
    .where((eb) => eb.or([eb('id', '=', value.first), eb('id', '=', value.second)])),
);

/** Parses the drawn pages of a stored row; null if they aren't drawn yet. */
export function ticketPagesIn(stored: string | null): TicketPage[] | null {
  return stored === null ? null : z.array(ticketPageSchema).parse(JSON.parse(stored));
}
