import { argon2, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { DISK_SPACE } from '../../../domain/limits.ts';
import { PLAN_B_BYTES, type PlanBFailure } from '../../../domain/plan-b.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { CODE_COST, type KeyOfCode, keyOfCode } from '../../../sealed/code-key.ts';
import { manifestBytes } from '../../../sealed/content.ts';
import { KEY, sealedSize } from '../../../sealed/layout.ts';
import { sealed } from '../../../sealed/seal.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { startInterval } from '../../work/every.ts';
import { insertMedia } from '../media/media.repo.ts';
import { deleteMedia, putMedia } from '../media/media.service.ts';
import { contentBytes, contentFiles, currentContent, listed, type PlanBContent } from './evening.ts';
import { hasOpenVisit, latestPlan, savePlan, savePlanFailure } from './plan-b.repo.ts';

type MakerDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'live' | 'log' | 'now'
>;

/** Interval in ms between checks for a request that waits for a visit to end. */
const LOOK_MS = MINUTE_MS / 4;

const WAKING = ['plan_b', 'sessions'] as const;

/** The build is postponed: a visit is open, files are being processed, or the server stops. */
class Later extends Error {
  override name = 'Later';
}

/** Builds a requested sealed evening while the machine is idle. Returns a function that stops the job. */
export function startPlanBJob(deps: MakerDeps): () => Promise<void> {
  const stopping = new AbortController();
  const failed = (error: unknown) => deps.log.error({ err: error }, 'looking for a sealed evening failed');
  const looks = startInterval(LOOK_MS, () => buildRequested(deps, stopping.signal), failed);
  const forget = deps.live.subscribe((message) => {
    // A build was requested, or a visit may have ended.
    if (message.type === 'changed' && WAKING.some((topic) => message.topics.includes(topic))) looks.now();
  });
  looks.now();
  return async () => {
    forget();
    stopping.abort(new Later());
    await looks.stop();
  };
}

/** Builds the requested sealed evening, if there is a request and the machine is idle. A failed build is stored as such. */
export async function buildRequested(deps: MakerDeps, signal: AbortSignal): Promise<void> {
  const wanted = await latestPlan(deps.db);
  if (wanted === undefined || wanted.made_at !== null || wanted.failed !== null) return;
  try {
    await beQuiet(deps, signal);
    const evening = await currentContent(deps);
    // The page shows the hindrance itself before a request.
    if (typeof evening === 'string') return await fail(deps, wanted.id, 'failed');
    await make(deps, wanted.id, evening, signal);
    publishChange(deps, 'plan_b');
  } catch (error) {
    if (error instanceof Later) return;
    deps.log.warn({ err: error }, 'a sealed evening could not be made');
    await fail(deps, wanted.id, error instanceof StorageUnavailable ? 'no_room' : 'failed');
  }
}

async function fail(deps: MakerDeps, id: string, why: PlanBFailure): Promise<void> {
  await deps.inTransaction((tx) => savePlanFailure(tx, id, why));
  publishChange(deps, 'plan_b');
}

/** Rejects with `Later` if the server stops, a visit is open or an upload is being processed: these have priority. */
async function beQuiet({ db, uploads }: MakerDeps, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (uploads.jobs.isBusy() || (await hasOpenVisit(db))) throw new Later();
}

async function make(deps: MakerDeps, id: string, evening: PlanBContent, signal: AbortSignal): Promise<void> {
  const parts = await contentFiles(deps, evening.snapshot);
  const { snapshot, opens_at, locks } = evening;
  const start = manifestBytes({ opens_at, snapshot, files: listed(parts) });
  const size = parts.reduce((sum, { media }) => sum + media.size, start.length);
  if (size > PLAN_B_BYTES) throw new Error(`A sealed evening of ${size} bytes is too large`);
  if ((await deps.uploads.folder.freeBytes()) < DISK_SPACE.low + sealedSize(size))
    throw new StorageUnavailable();
  const quiet = () => beQuiet(deps, signal);
  const pieces = contentBytes(deps, start, parts, quiet);
  const keyOf: KeyOfCode = async (code, salt) => {
    await quiet();
    return machinesKey(code, salt);
  };
  const content = Readable.from(sealed({ size, pieces }, locks, keyOf), { objectMode: false });
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
const machinesKey: KeyOfCode =
  typeof argon2 === 'function'
    ? async (code, salt) => {
        const { memoryKiB: memory, passes, lanes: parallelism } = CODE_COST;
        const how = { message: code, nonce: salt, parallelism, passes, memory, tagLength: KEY };
        return promisify(argon2)('argon2id', how);
      }
    : keyOfCode;
