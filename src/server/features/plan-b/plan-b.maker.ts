import { argon2, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { PLAN_B_BYTES, type PlanBFailure } from '../../../contract/admin/rehearsal.ts';
import { DISK_SPACE, MINUTE_MS } from '../../../domain/limits.ts';
import { CODE_COST, type DeriveCodeKey, deriveCodeKey } from '../../../sealed/code-key.ts';
import { manifestBytes } from '../../../sealed/content.ts';
import { KEY_BYTES, sealedSize } from '../../../sealed/layout.ts';
import { sealEvening } from '../../../sealed/seal.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/bus.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { startInterval } from '../../work/every.ts';
import { deleteMedia, insertMedia, putMedia } from '../media/media.ts';
import { contentBytes, contentFiles, currentContent, manifestFiles, type PlanBContent } from './evening.ts';
import { hasOpenVisit, latestPlan, savePlan, savePlanFailure } from './plan-b.repo.ts';

type MakerDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'live' | 'log' | 'now'
>;

/** Interval in ms between checks for a request that waits for a visit to end. */
const POLL_MS = MINUTE_MS / 4;

const WAKING_TOPICS = ['plan_b', 'sessions'] as const;

/** The build is postponed: a visit is open, files are being processed, or the server stops. */
class Later extends Error {
  override name = 'Later';
}

/** Builds a requested sealed evening while the machine is idle. Returns a function that stops the job. */
export function startPlanBJob(deps: MakerDeps): () => Promise<void> {
  const stopping = new AbortController();
  const failed = (error: unknown) => deps.log.error({ err: error }, 'looking for a sealed evening failed');
  const polling = startInterval(POLL_MS, () => buildRequested(deps, stopping.signal), failed);
  const unsubscribe = deps.live.subscribe((message) => {
    // A build was requested, or a visit may have ended.
    if (message.type === 'changed' && WAKING_TOPICS.some((topic) => message.topics.includes(topic)))
      polling.now();
  });
  polling.now();
  return async () => {
    unsubscribe();
    stopping.abort(new Later());
    await polling.stop();
  };
}

/** Builds the requested sealed evening, if there is a request and the machine is idle. A failed build is stored as such. */
export async function buildRequested(deps: MakerDeps, signal: AbortSignal): Promise<void> {
  const request = await latestPlan(deps.db);
  if (request === undefined || request.made_at !== null || request.failed !== null) return;
  try {
    await requireIdle(deps, signal);
    const evening = await currentContent(deps);
    // The page shows the hindrance itself before a request.
    if (typeof evening === 'string') return await fail(deps, request.id, 'failed');
    await build(deps, request.id, evening, signal);
    publishChange(deps, 'plan_b');
  } catch (error) {
    if (error instanceof Later) return;
    deps.log.warn({ err: error }, 'a sealed evening could not be made');
    await fail(deps, request.id, error instanceof StorageUnavailable ? 'no_room' : 'failed');
  }
}

async function fail(deps: MakerDeps, id: string, failure: PlanBFailure): Promise<void> {
  await deps.inTransaction((tx) => savePlanFailure(tx, id, failure));
  publishChange(deps, 'plan_b');
}

/** Rejects with `Later` if the server stops, a visit is open or an upload is being processed: these have priority. */
async function requireIdle({ db, uploads }: MakerDeps, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (uploads.jobs.isBusy() || (await hasOpenVisit(db))) throw new Later();
}

async function build(deps: MakerDeps, id: string, evening: PlanBContent, signal: AbortSignal): Promise<void> {
  const parts = await contentFiles(deps, evening.snapshot);
  const { snapshot, opens_at, locks } = evening;
  const start = manifestBytes({ opens_at, snapshot, files: manifestFiles(parts) });
  const size = parts.reduce((sum, { media }) => sum + media.size, start.length);
  if (size > PLAN_B_BYTES) throw new Error(`A sealed evening of ${size} bytes is too large`);
  if ((await deps.uploads.folder.freeBytes()) < DISK_SPACE.low + sealedSize(size))
    throw new StorageUnavailable();
  const ensureIdle = () => requireIdle(deps, signal);
  const pieces = contentBytes(deps, start, parts, ensureIdle);
  const keyOf: DeriveCodeKey = async (code, salt) => {
    await ensureIdle();
    return nativeKeyOf(code, salt);
  };
  const content = Readable.from(sealEvening({ size, chunks: pieces }, locks, keyOf), { objectMode: false });
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
