import { argon2, createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Selectable } from 'kysely';
import {
  PLAN_B_BYTES,
  PLAN_B_PICTURE,
  type PlanBBlocker,
  type PlanBFailure,
} from '../../../contract/admin/rehearsal.ts';
import { isExpired } from '../../../domain/access.ts';
import type { Configuration } from '../../../domain/configuration.ts';
import { type Snapshot, TRIPS, tripOf } from '../../../domain/content.ts';
import { DISK_SPACE, MINUTE_MS } from '../../../domain/limits.ts';
import { bestRendition } from '../../../domain/pictures.ts';
import { CODE_COST, type DeriveCodeKey, deriveCodeKey } from '../../../sealed/code-key.ts';
import type { CodeLock } from '../../../sealed/code-locks.ts';
import { manifestBytes, ticketsName } from '../../../sealed/content.ts';
import { KEY_BYTES, MAX_SLOTS, sealedSize } from '../../../sealed/layout.ts';
import { sealEvening } from '../../../sealed/seal.ts';
import type { Db, PlansBTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { onChange, publishChange } from '../../live/bus.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { startInterval } from '../../work/timers.ts';
import { findConfig } from '../config/config.ts';
import { deleteMedia, insertMedia, type Media, mediaKey, putMedia } from '../media/media.ts';
import { renditionsFor } from '../media/serve.ts';
import { findFileAt, pdfOf } from '../tickets/tickets.ts';
import { createSnapshot } from '../visit/snapshot.ts';

/** Interval in ms between checks for a request that waits for a visit to end. */
const POLL_MS = MINUTE_MS / 4;

/** The build is postponed: a visit is open, or files are being processed. */
class Later extends Error {
  override name = 'Later';
}

/** Builds a requested sealed evening while the machine is idle. Returns a function that stops the job. */
export function startPlanBJob(deps: Deps): () => Promise<void> {
  return startInterval(
    POLL_MS,
    (signal) => buildRequested(deps, signal),
    (error) => deps.log.error({ err: error }, 'looking for a sealed evening failed'),
    // A build was requested, or a visit may have ended.
    (now) => onChange(deps, ['plan_b', 'sessions'], now),
  ).stop;
}

/** Builds the requested sealed evening, if there is a request and the machine is idle. A failed build is stored as such. */
export async function buildRequested(deps: Deps, signal: AbortSignal): Promise<void> {
  const [request] = await listPlans(deps.db);
  if (request === undefined || request.made_at !== null || request.failed !== null) return;
  const fail = (failure: PlanBFailure) =>
    deps.inTransaction((tx) => savePlanFailure(tx, request.id, failure));
  try {
    await requireIdle(deps, signal);
    const evening = await currentContent(deps);
    // The page shows the hindrance itself before a request.
    await (typeof evening === 'string' ? fail('failed') : build(deps, request.id, evening, signal));
  } catch (error) {
    if (error instanceof Later || signal.aborted) return;
    deps.log.warn({ err: error }, 'a sealed evening could not be made');
    await fail(error instanceof StorageUnavailable ? 'no_room' : 'failed');
  }
  publishChange(deps, 'plan_b');
}

/** Rejects if the server stops, and with `Later` if a visit is open or an upload is being processed: these have priority. */
async function requireIdle({ db, uploads }: Deps, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (uploads.jobs.isBusy() || (await hasOpenVisit(db))) throw new Later();
}

async function build(deps: Deps, id: string, evening: PlanBContent, signal: AbortSignal): Promise<void> {
  const { snapshot, opens_at, locks } = evening;
  const parts = await contentFiles(deps, snapshot);
  const files = parts.map(({ name, media }) => ({ name, type: media.content_type, size: media.size }));
  const start = manifestBytes({ opens_at, snapshot, files });
  const size = files.reduce((sum, file) => sum + file.size, start.length);
  if (size > PLAN_B_BYTES) throw new Error(`A sealed evening of ${size} bytes is too large`);
  if ((await deps.uploads.folder.freeBytes()) < DISK_SPACE.low + sealedSize(size))
    throw new StorageUnavailable();
  const ensureIdle = () => requireIdle(deps, signal);
  const chunks = contentBytes(deps, start, parts, ensureIdle);
  const keyOf: DeriveCodeKey = async (code, salt) => {
    await ensureIdle();
    return nativeKeyOf(code, salt);
  };
  const content = Readable.from(sealEvening({ size, chunks }, locks, keyOf), { objectMode: false });
  const file = randomBytes(16).toString('hex');
  const { row, stored } = await putMedia(deps, { ...BLOB, content }, file);
  await deps.inTransaction(async (tx) => {
    await insertMedia(tx, row);
    const before = await savePlan(tx, id, {
      made_at: deps.now().toISOString(),
      made_of: evening.of,
      file,
      size: stored.size,
    });
    for (const old of before ?? [file]) await deleteMedia(tx, old, deps.now());
  });
}

const BLOB = { nome: 'piano-b', content_type: 'application/octet-stream', extension: 'bin' };

/** Argon2id of Node's OpenSSL, in a separate thread. Node before 24.7 doesn't have it. */
const nativeKeyOf: DeriveCodeKey =
  typeof argon2 === 'function'
    ? async (code, salt) => {
        const { memoryKiB: memory, passes, lanes: parallelism } = CODE_COST;
        const options = { message: code, nonce: salt, parallelism, passes, memory, tagLength: KEY_BYTES };
        return promisify(argon2)('argon2id', options);
      }
    : deriveCodeKey;

/** Content of a sealed evening that would be built now. */
type PlanBContent = {
  snapshot: Snapshot;
  opens_at: string | null;
  locks: CodeLock[];
  /** SHA-256 of the other fields, hex. It changes with any of them. */
  of: string;
};

/** Returns the content as it is prepared now, or the reason why it can't be sealed. Writes nothing. */
export async function currentContent(deps: Deps): Promise<PlanBContent | PlanBBlocker> {
  const row = await findConfig(deps.db);
  if (row === undefined) return 'no_content';
  if (row.video_url === null) return 'no_film';
  const locks = await validCodeLocks(deps.db, deps.now());
  if (locks.length === 0) return 'no_code';
  if (locks.length > MAX_SLOTS) return 'many_codes';
  const snapshot = withOneFilm(await createSnapshot(deps.db, row));
  const fields = { snapshot, opens_at: row.opens_at, locks };
  const of = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
  // Film and song are nearly all of it.
  const largest = await Promise.all(soundUrls(snapshot.config).map((url) => findFileAt(deps, url)));
  const minimumBytes = largest.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  return minimumBytes > PLAN_B_BYTES ? 'too_large' : { ...fields, of };
}

/** Uses the light film if there is one: offline, no connection speed decides. */
function withOneFilm(snapshot: Snapshot): Snapshot {
  const { light_url, config } = snapshot;
  return { ...snapshot, config: { ...config, video_url: light_url ?? config.video_url }, light_url: null };
}

const soundUrls = ({ video_url, canzone_url }: Configuration) => [video_url, canzone_url];

/** A file and the name by which the evening requests it. */
type ContentFile = { name: string; media: Media };

/** Returns each file of the evening once: pictures as large as a phone needs, tickets as a PDF and as drawn pages. */
async function contentFiles(deps: Deps, snapshot: Snapshot): Promise<ContentFile[]> {
  const { config, poster_url, captions, ticket_pages, ticket_pages_2 } = snapshot;
  const trips = TRIPS.map((viaggio) => tripOf(snapshot, viaggio));
  const stored = [
    ...soundUrls(config),
    captions?.url ?? null,
    ...(ticket_pages ?? []),
    ...(ticket_pages_2 ?? []),
  ];
  const pictures = [poster_url, ...trips.map((trip) => trip.immagine_destinazione_url)];
  const parts = await Promise.all([
    ...stored.map((url) => fileOf(deps, url, async (media) => media)),
    ...pictures.map((url) => fileOf(deps, url, (media) => pictureForPhones(deps, media))),
    ...trips.map(({ viaggio, biglietti_url }) =>
      fileOf(deps, biglietti_url, (media) => pdfOf(deps, media), ticketsName(viaggio)),
    ),
  ]);
  return [...new Map(parts.flat().map((part) => [part.name, part])).values()];
}

/** Returns the file at an address in the form that is sealed, none if it is missing. */
async function fileOf(
  deps: Deps,
  url: string | null,
  sealedForm: (media: Media) => Promise<Media>,
  name = url ?? '',
): Promise<ContentFile[]> {
  const media = await findFileAt(deps, url);
  return media === null ? [] : [{ name, media: await sealedForm(media) }];
}

async function pictureForPhones(deps: Deps, picture: Media): Promise<Media> {
  const renditions = await renditionsFor(deps, null, picture.id);
  // Not every phone that may open it can read AVIF.
  const best = bestRendition(renditions.keys(), PLAN_B_PICTURE, (format) => format !== 'avif');
  return (best && renditions.get(best)) ?? picture;
}

/**
 * Yields all bytes in order, beginning with `start`, the manifest.
 * @param beforeEach awaited before each chunk of a file; its error ends the stream
 */
async function* contentBytes(
  { storage }: Deps,
  start: Uint8Array,
  parts: readonly ContentFile[],
  beforeEach: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield start;
  for (const { media } of parts) {
    const stream: Readable = await storage.read(mediaKey(media));
    for await (const piece of stream) {
      await beforeEach();
      yield piece;
    }
  }
}

/** Returns the codes that are valid now, oldest first. Their uses don't matter to a sealed evening. */
export async function validCodeLocks(db: Db, now: Date): Promise<CodeLock[]> {
  const rows = await db
    .selectFrom('tokens')
    .select(['id', 'normalized', 'scadenza'])
    .where('attivo', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows
    .filter(({ scadenza }) => !isExpired(scadenza, now))
    .map(({ id, normalized }) => ({ id, normalized }));
}

export async function hasOpenVisit(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('active_sessions')
    .select('id')
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type PlanRow = Selectable<PlansBTable>;

/** Returns the requests, built or not, newest first. */
export const listPlans = (db: Db): Promise<PlanRow[]> =>
  db.selectFrom('plans_b').selectAll().orderBy('wanted_at', 'desc').orderBy('id').execute();

type BuiltPlan = { made_at: string; made_of: string; file: string; size: number };

export const isMade = (plan: PlanRow): plan is PlanRow & BuiltPlan => plan.made_at !== null;

/** Stores a request; it replaces those that weren't built. */
export async function requestPlan(tx: Db, id: string, now: Date): Promise<void> {
  await tx.deleteFrom('plans_b').where('made_at', 'is', null).execute();
  await tx.insertInto('plans_b').values({ id, wanted_at: now.toISOString() }).execute();
}

/** Marks a request as built and deletes the other rows. Returns the files of those, or null if the request no longer exists. */
export async function savePlan(tx: Db, id: string, made: BuiltPlan): Promise<string[] | null> {
  const updated = await tx
    .updateTable('plans_b')
    .set(made)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (updated === undefined) return null;
  const deleted = await tx.deleteFrom('plans_b').where('id', '<>', id).returning('file').execute();
  return deleted.flatMap(({ file }) => file ?? []);
}

export async function savePlanFailure(tx: Db, id: string, failed: PlanBFailure): Promise<void> {
  await tx.updateTable('plans_b').set({ failed }).where('id', '=', id).where('made_at', 'is', null).execute();
}
