import type { FileRefusal } from '../../../contract/admin/media.ts';
import { DISK_SPACE, MINUTE_MS } from '../../../domain/limits.ts';
import { errorCode, isDiskFull, isUniqueViolation } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import { isServiceUnavailable } from '../../http/failures.ts';
import { publishChange } from '../../live/announce.ts';
import { NO_FFMPEG } from '../../media-worker/door.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { isRefused, refuse } from '../../refused.ts';
import { startInterval } from '../../work/every.ts';
import { ensureFreeSpace } from '../media/media.sweeper.ts';
import type { Job, JobResult } from './jobs.ts';
import { storeConverted } from './keep.service.ts';
import { LeaseLost, LeaseRequested, runWithLease } from './leases.ts';
import { convertUpload, subProgress } from './make.service.ts';
import type { IncomingUpload, WorkPaths } from './upload-folder.ts';
import { activeUploadIds, workKey } from './uploads.ts';

export type ProcessingDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now' | 'live' | 'log'
>;

/** Interval in ms of looking for uploads whose processing was interrupted by a restart or an outage. */
const POLL_MS = MINUTE_MS;

/**
 * Processes completed uploads, with or without a waiting client. The folder is the queue: complete uploads that have no result.
 * Returns a function that stops it.
 */
export function startProcessing(deps: ProcessingDeps): () => Promise<void> {
  const failed = (error: unknown) => deps.log.error({ err: error }, 'looking for uploads failed');
  const polling = startInterval(POLL_MS, () => processCompleted(deps), failed);
  polling.now();
  return async () => void (await Promise.all([polling.stop(), deps.uploads.jobs.close()]));
}

/** Starts a job for every completed upload that no node works on. */
export async function processCompleted(deps: ProcessingDeps): Promise<void> {
  const { folder, jobs } = deps.uploads;
  const isActive = await activeUploadIds(deps.uploads);
  const completed = (await folder.list())
    .flatMap(({ upload }) => upload ?? [])
    .filter(({ id, size, offset }) => offset === size && !jobs.hasFailed(id) && !isActive(id))
    .toSorted((a, b) => a.touched - b.touched);
  for (const upload of completed) {
    // Without free space each job would fail, and restart a minute later.
    const freeWhenFull = jobs.freeWhenFull.get(upload.id);
    const minFree = Math.max(2 * upload.size + DISK_SPACE.low, (freeWhenFull ?? 0) + upload.size);
    const isAccepted = (await folder.refused(upload.id)) === null;
    if (isAccepted && (await ensureFreeSpace(deps, minFree))) void jobFor(deps, upload);
  }
}

/** Starts the job of an upload whose last byte has arrived. */
export function processUpload(deps: ProcessingDeps, id: string): void {
  const failed = (error: unknown) => deps.log.error({ err: error, upload: id }, 'an upload was not begun');
  deps.uploads.folder.find(id).then((upload) => {
    if (upload === null) return;
    void jobFor(deps, upload);
    publishChange(deps, 'config');
  }, failed);
}

/** Returns the running job of an upload, or starts one. */
export function jobFor(deps: ProcessingDeps, upload: IncomingUpload): Job {
  return deps.uploads.jobs.getOrStart(upload.id, (control) => run(deps, upload, control));
}

async function run(deps: ProcessingDeps, upload: IncomingUpload, control: TaskControl): Promise<JobResult> {
  const { folder, jobs, leases } = deps.uploads;
  const end = await runWithLease(leases, workKey(upload.id), control, (leasedControl, insist) =>
    convertAndStore(deps, upload, leasedControl, insist),
  ).catch((error: unknown) => endByError(deps, upload.id, error, control));
  if (isRefused(end) && end.refused === 'STORAGE_FULL')
    jobs.freeWhenFull.set(upload.id, await folder.freeBytes());
  publishChange(deps, 'config');
  return end;
}

/** @param insist called before anything is stored; rejects if another node may be storing it too */
async function convertAndStore(
  deps: ProcessingDeps,
  upload: IncomingUpload,
  control: TaskControl,
  insist: () => Promise<void>,
): Promise<JobResult> {
  const { folder, jobs } = deps.uploads;
  // Another node ended it and stored the result where every node finds it.
  if ((await folder.find(upload.id)) === null) return ENDED;
  const end = await folder
    .withMade(
      upload.id,
      (places) =>
        jobs.inTurn(control.signal, () =>
          folder.withLocalPath(upload.id, control.signal, (path) =>
            runConversion(deps, { ...upload, path }, places, { ...control, insist }),
          ),
        ),
      () => !(control.signal.reason instanceof LeaseLost),
    )
    .catch((error: unknown) => {
      // Another process was faster: the file is stored.
      if (isUniqueViolation(error)) return ENDED;
      throw error;
    });
  if (!isRefused(end)) await folder.remove(upload.id);
  return end;
}

/** The file is in its slot, or its result is stored under the upload's id. */
const ENDED = { kept: true } as const;

/** Share of storing in a job's progress (0 to 1). */
const STORING_SHARE = 0.1;

async function runConversion(
  deps: ProcessingDeps,
  upload: IncomingUpload & { path: string },
  places: WorkPaths,
  control: TaskControl & { insist(): Promise<void> },
): Promise<JobResult> {
  const converting = subProgress(control, 0, 1 - STORING_SHARE);
  const storing = subProgress(control, 1 - STORING_SHARE, 1);
  const good = await convertUpload(deps, upload, places, converting);
  if (isRefused(good)) {
    await storeRefusal(deps, upload, good.refused);
    return good;
  }
  storing.progress(0);
  await control.insist();
  await storeConverted(deps, upload, good, storing);
  return ENDED;
}

async function storeRefusal(
  { uploads }: ProcessingDeps,
  upload: IncomingUpload,
  codice: FileRefusal,
): Promise<void> {
  const { id, slot, filename, size } = upload;
  await uploads.folder.remove(id, { codice, slot, filename, size });
}

/** Converts an error during a job to a result. Errors that a retry may not meet aren't stored: the bytes are still available. */
async function endByError(
  { uploads, log }: ProcessingDeps,
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
