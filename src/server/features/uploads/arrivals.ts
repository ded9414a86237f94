import { setTimeout as delay } from 'node:timers/promises';
import type {
  BlockReason,
  FileRefusal,
  ProcessingProgress,
  ProcessingUpload,
} from '../../../contract/admin/media.ts';
import { DISK_SPACE, HOUR_MS, MINUTE_MS, UPLOADS } from '../../../domain/limits.ts';
import { mediaUrl, SLOT_NAMES } from '../../../domain/media.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { errorCode, isDiskFull, isUniqueViolation } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import { calls } from '../../http/calls.ts';
import { isServiceUnavailable } from '../../http/refusals.ts';
import { publishChange } from '../../live/bus.ts';
import { NO_FFMPEG } from '../../media-worker/door.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { startInterval } from '../../work/timers.ts';
import {
  activateFile,
  deleteFile,
  listMedia,
  readSlot,
  type SavedItem,
  setFocusPoint,
} from '../media/library.ts';
import { cleanFileName, findFile } from '../media/media.ts';
import { ensureFreeSpace } from '../media/sweep.ts';
import { joinTickets, takePoster } from './from-stored.ts';
import { LeaseLost, LeaseRequested, runWithLease } from './leases.ts';
import { convertUpload, storeConverted, subProgress } from './make.ts';
import {
  type FolderEntry,
  forgetUpload,
  type IncomingUpload,
  isUploadId,
  type WorkPaths,
} from './upload-folder.ts';
import { activeUploadIds, type Job, type JobResult, type Jobs, workKey } from './uploads.ts';

/** Interval in ms of looking for uploads whose processing was interrupted by a restart or an outage. */
const POLL_MS = MINUTE_MS;

/**
 * Processes completed uploads, with or without a waiting client. The folder is the queue: complete uploads that have no result.
 * Returns a function that stops it.
 */
export function startProcessing(deps: Deps): () => Promise<void> {
  const failed = (error: unknown) => deps.log.error({ err: error }, 'looking for uploads failed');
  const polling = startInterval(POLL_MS, () => processCompleted(deps), failed);
  polling.now();
  return async () => void (await Promise.all([polling.stop(), deps.uploads.jobs.close()]));
}

/** Starts a job for every completed upload that no node works on. */
export async function processCompleted(deps: Deps): Promise<void> {
  const { folder, jobs } = deps.uploads;
  const isActive = await activeUploadIds(deps.uploads);
  const completed = (await folder.list())
    .filter(({ id, size, offset }) => offset === size && !jobs.hasFailed(id) && !isActive(id))
    .toSorted((a, b) => a.touched - b.touched);
  for (const upload of completed) {
    // Without free space each job would fail, and restart a minute later.
    const freeWhenFull = jobs.freeWhenFull.get(upload.id) ?? 0;
    const minFree = Math.max(2 * upload.size + DISK_SPACE.low, freeWhenFull + upload.size);
    const isAccepted = (await folder.refused(upload.id)) === null;
    if (isAccepted && (await ensureFreeSpace(deps, minFree))) void jobFor(deps, upload);
  }
}

/** Starts the job of an upload whose last byte has arrived. */
export function processUpload(deps: Deps, id: string): void {
  const failed = (error: unknown) => deps.log.error({ err: error, upload: id }, 'an upload was not begun');
  deps.uploads.folder.find(id).then((upload) => {
    if (upload === null) return;
    void jobFor(deps, upload);
    publishChange(deps, 'config');
  }, failed);
}

/** Returns the running job of an upload, or starts one. */
function jobFor(deps: Deps, upload: IncomingUpload): Job {
  const { folder, jobs, leases } = deps.uploads;
  return jobs.getOrStart(upload.id, async (control) => {
    const end = await runWithLease(leases, workKey(upload.id), control, (leasedControl, insist) =>
      convertAndStore(deps, upload, leasedControl, insist),
    ).catch((error: unknown) => endByError(deps, upload.id, error, control));
    if (isRefused(end) && end.refused === 'STORAGE_FULL')
      jobs.freeWhenFull.set(upload.id, await folder.freeBytes());
    publishChange(deps, 'config');
    return end;
  });
}

/** @param insist called before anything is stored; rejects if another node may be storing it too */
async function convertAndStore(
  deps: Deps,
  upload: IncomingUpload,
  control: TaskControl,
  insist: () => Promise<void>,
): Promise<JobResult> {
  const { folder, jobs } = deps.uploads;
  const { id } = upload;
  const { signal } = control;
  // Another node ended it and stored the result where every node finds it.
  if ((await folder.find(id)) === null) return ENDED;
  const work = (places: WorkPaths) =>
    jobs.inTurn.run(
      () =>
        folder.withLocalPath(id, signal, (path) =>
          runConversion(deps, { ...upload, path }, { places, control, insist }),
        ),
      { signal },
    );
  const end = await folder
    .withMade(id, work, () => !(signal.reason instanceof LeaseLost))
    .catch((error: unknown) => {
      // Another process was faster: the file is stored.
      if (isUniqueViolation(error)) return ENDED;
      throw error;
    });
  if (!isRefused(end)) await folder.remove(id);
  return end;
}

/** The file is in its slot, or its result is stored under the upload's id. */
const ENDED = { kept: true } as const;

/** Share of storing in a job's progress (0 to 1). */
const STORING_SHARE = 0.1;

async function runConversion(
  deps: Deps,
  upload: IncomingUpload & { path: string },
  { places, control, insist }: { places: WorkPaths; control: TaskControl; insist(): Promise<void> },
): Promise<JobResult> {
  const converting = subProgress(control, 0, 1 - STORING_SHARE);
  const storing = subProgress(control, 1 - STORING_SHARE, 1);
  const good = await convertUpload(deps, upload, places, converting);
  if (isRefused(good)) {
    const { id, slot, filename, size } = upload;
    await deps.uploads.folder.remove(id, { codice: good.refused, slot, filename, size });
    return good;
  }
  storing.progress(0);
  await insist();
  await storeConverted(deps, upload, good, storing);
  return ENDED;
}

/** Converts an error during a job to a result. Errors that a retry may not meet aren't stored: the bytes are still available. */
async function endByError(
  { uploads, log }: Deps,
  id: string,
  error: unknown,
  { signal }: TaskControl,
): Promise<JobResult> {
  if (signal.aborted || error instanceof LeaseRequested) return refuse('NOT_FOUND');
  // It was removed in between, or another node ended it.
  if ((await uploads.folder.find(id)) === null) return ENDED;
  if (isDiskFull(error)) return refuse('STORAGE_FULL');
  if (errorCode(error) === NO_FFMPEG) {
    log.warn({ err: error, upload: id }, 'an upload waits for FFmpeg');
    return refuse(NO_FFMPEG);
  }
  if (isServiceUnavailable(error)) {
    log.warn({ err: error, upload: id }, 'an upload could not be kept');
    return refuse('UNAVAILABLE');
  }
  log.error({ err: error, upload: id }, 'an upload failed');
  throw error;
}

/** Calls for the files of the slots, for completed uploads, and for files made from stored ones. */
export const mediaCalls = calls(adminCalls.media, {
  list: listMedia,
  use: activateFile,
  focus: setFocusPoint,
  remove: deleteFile,
  arrived: listArrived,
  finish: finishUpload,
  dismiss: dismissUpload,
  join: joinTickets,
  poster: takePoster,
});

type Finished =
  | ({ state: 'working' } & ProcessingProgress)
  | ({ state: 'done' } & SavedItem)
  | Refusal<FileRefusal | BlockReason | 'NOT_FOUND' | 'UPLOAD_UNFINISHED'>;

/** Time in ms that a request waits for the end of a job. */
const WAIT_MS = 1_000;

/**
 * Returns the result of an upload's job, or its progress; starts the job if there is none. Repeated calls, also after a restart,
 * return the same result: a stored file has the id of its upload, and a refusal is stored under it.
 */
export async function finishUpload(ctx: AdminCtx, { upload: id }: { upload: string }): Promise<Finished> {
  if (!isUploadId(id)) return refuse('NOT_FOUND');
  const { folder, jobs } = ctx.uploads;
  const known = await endOf(ctx, id);
  if (known !== null) {
    // The process may have died after storing the file and before removing the upload.
    if ('state' in known && jobs.find(id) === undefined) await forgetUpload(folder, id);
    return known;
  }
  const upload = await folder.find(id);
  // It may have ended since the first look.
  if (upload === null) return (await endOf(ctx, id)) ?? refuse('NOT_FOUND');
  if (upload.offset < upload.size) return refuse('UPLOAD_UNFINISHED');
  const job = jobFor(ctx, upload);
  const end = await Promise.race([job.end, delay(WAIT_MS, null, { ref: false })]);
  if (end === null) return { state: 'working', ...job.working() };
  if (isRefused(end)) return end;
  return (await endOf(ctx, id)) ?? refuse('NOT_FOUND');
}

/** Returns the stored result of an upload, or null if there is none. */
async function endOf(deps: AdminCtx, id: string): Promise<Finished | null> {
  const refused = await deps.uploads.folder.refused(id);
  if (refused !== null) return refuse(refused.codice);
  const media = await findFile(deps, id);
  if (media === null) return null;
  if (media.deleted_at !== null) return refuse('NOT_FOUND');
  const url = mediaUrl(media);
  for (const slot of SLOT_NAMES) {
    const { items, versione } = await readSlot(deps.db, slot);
    const item = items.find((each) => each.url === url);
    if (item !== undefined) return { state: 'done', item, versione };
  }
  return refuse('NOT_FOUND');
}

/** Returns the uploads that are being processed, stopped or refused, oldest first. */
export async function listArrived({ uploads }: AdminCtx): Promise<ProcessingUpload[]> {
  const { folder, jobs, leases } = uploads;
  const elsewhere = new Map((await leases.held()).map(({ key, progress }) => [key, progress]));
  const entries = (await folder.entries()).toSorted((a, b) => a.touched - b.touched);
  const ids = new Set(entries.flatMap(({ id }) => id ?? []));
  const arrived: ProcessingUpload[] = [];
  for (const id of ids) {
    const refused = await folder.refused(id);
    const known = refused ?? (await folder.find(id));
    if (known === null || ('offset' in known && known.offset < known.size)) continue;
    const { slot, size, filename } = known;
    const state =
      refused === null
        ? stateOf(jobs, id, elsewhere.get(workKey(id)))
        : { state: 'refused' as const, codice: refused.codice };
    arrived.push({ upload: id, slot, nome: cleanFileName(filename), size, ...state });
  }
  return arrived;
}

/** @param elsewhere progress on another node (0 to 1, null before its start); undefined if no node works on it */
function stateOf(jobs: Jobs, id: string, elsewhere: number | null | undefined) {
  const job = jobs.find(id);
  if (job !== undefined) return { state: 'working' as const, ...job.working() };
  const codice = jobs.blockReason(id);
  if (elsewhere === undefined && codice !== undefined) return { state: 'stopped' as const, codice };
  // Only the node that works on it knows the remaining time.
  const progress = { waiting: elsewhere == null, progress: elsewhere ?? 0, secondsLeft: null };
  return { state: 'working' as const, ...progress };
}

/** Deletes the stored refusal of an upload. */
export async function dismissUpload(ctx: AdminCtx, { upload: id }: { upload: string }) {
  const { folder } = ctx.uploads;
  if (!isUploadId(id) || (await folder.refused(id)) === null) return refuse('NOT_FOUND');
  await forgetUpload(folder, id);
  publishChange(ctx, 'config');
  return {};
}

/** Interval of the sweep, in ms. */
const SWEEP_MS = HOUR_MS;
/** Minimum age of leftovers in ms: they may be about to become an upload. */
const LEFTOVER_MS = 10 * MINUTE_MS;

/**
 * Removes leftovers (bytes without an announcement, chunks after a crash, foreign files), and what was untouched for 24 hours:
 * uploads, finished or not, and stored refusals. Uploads that a node works on stay.
 * @param leftoverMs minimum age of leftovers
 */
export async function sweepUploads(deps: Deps, leftoverMs = LEFTOVER_MS): Promise<void> {
  const { folder, leases } = deps.uploads;
  await leases.sweep();
  const resumable = new Set((await folder.list()).map(({ id }) => id));
  const listed = await folder.entries();
  // Read after the list, so that work which began before is included.
  const isActive = await activeUploadIds(deps.uploads);
  const entries = listed.filter(({ id }) => id === null || !isActive(id));
  const now = deps.now().getTime();
  for (const entry of entries) {
    const minAge = isUsable(entry, resumable) ? UPLOADS.lifeMs : leftoverMs;
    // At startup (0) also removes files dated in the future, by the file system or by a clock that was set back.
    if (minAge > 0 && now - lastTouched(entry, entries) < minAge) continue;
    await folder.drop(entry.name);
    deps.log.info({ file: entry.name }, 'removed from the uploads what nobody went on with');
  }
}

/** Returns true for bytes and announcement of an upload that can continue, and for a stored refusal. */
function isUsable({ name, id }: FolderEntry, resumable: ReadonlySet<string>): boolean {
  if (id === null) return false;
  return name === `${id}.refused` || (resumable.has(id) && (name === id || name === `${id}.json`));
}

/** Returns the last write to any file of the upload, in ms. */
function lastTouched({ name, id, touched }: FolderEntry, entries: readonly FolderEntry[]): number {
  const family = entries.filter((other) => other.name === name || (id !== null && other.id === id));
  return Math.max(touched, ...family.map((other) => other.touched));
}

/**
 * Sweeps before requests are accepted. In a folder of this process alone nothing can be in progress then;
 * with PostgreSQL another process may be writing there.
 */
export async function sweepUploadsAtStart(deps: Deps): Promise<void> {
  const alone = deps.env.DATABASE_URL === undefined;
  await sweepUploads(deps, alone ? 0 : LEFTOVER_MS).catch(failed(deps));
}

/** Sweeps every hour. Returns a function that stops it. */
export function startUploadSweeper(deps: Deps): () => Promise<void> {
  return startInterval(SWEEP_MS, () => sweepUploads(deps), failed(deps)).stop;
}

const failed =
  ({ log }: Deps) =>
  (error: unknown) =>
    log.error({ err: error }, 'upload sweep failed');
