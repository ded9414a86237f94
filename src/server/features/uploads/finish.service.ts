import { setTimeout as delay } from 'node:timers/promises';
import type {
  BlockReason,
  FileRefusal,
  MediaItem,
  ProcessingProgress,
  ProcessingUpload,
} from '../../../contract/admin/media.ts';
import { mediaUrl, SLOT_NAMES } from '../../../domain/media.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/announce.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { activateFile, deleteFile, listMedia, readSlot, setFocusPoint } from '../media/library.ts';
import { cleanFileName, findFile } from '../media/media.service.ts';
import { jobFor, type ProcessingDeps } from './arrivals.ts';
import type { Job, JobResult, Jobs } from './jobs.ts';
import { joinTickets } from './join.service.ts';
import { takePoster } from './poster.service.ts';
import { isUploadId } from './upload-folder.ts';
import { toProgress, workKey } from './uploads.ts';

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
  | { state: 'done'; item: MediaItem; versione: number }
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
    if ('state' in known && jobs.find(id) === undefined) await folder.forget(id);
    return known;
  }
  const upload = await folder.find(id);
  // It may have ended since the first look.
  if (upload === null) return (await endOf(ctx, id)) ?? refuse('NOT_FOUND');
  if (upload.offset < upload.size) return refuse('UPLOAD_UNFINISHED');
  const job = jobFor(ctx, upload);
  const end = await endInTime(job);
  if (end === null) return { state: 'working', ...job.working() };
  if (isRefused(end)) return end;
  return (await endOf(ctx, id)) ?? refuse('NOT_FOUND');
}

/** Returns the result of a job that ends in time, or null. */
async function endInTime(job: Job): Promise<JobResult | null> {
  const waiting = new AbortController();
  const waited = delay(WAIT_MS, null, { signal: waiting.signal }).catch(() => null);
  return Promise.race([job.end, waited]).finally(() => waiting.abort());
}

/** Returns the stored result of an upload, or null if there is none. */
async function endOf(deps: ProcessingDeps, id: string): Promise<Finished | null> {
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
    const upload = { upload: id, slot, nome: cleanFileName(filename), size };
    arrived.push(
      'codice' in known
        ? { ...upload, state: 'refused', codice: known.codice }
        : { ...upload, ...stateOf(jobs, id, elsewhere.get(workKey(id))) },
    );
  }
  return arrived;
}

/** @param elsewhere progress on another node (0 to 1, null before its start); undefined if no node works on it */
function stateOf(jobs: Jobs, id: string, elsewhere: number | null | undefined) {
  const job = jobs.find(id);
  if (job !== undefined) return { state: 'working' as const, ...job.working() };
  if (elsewhere !== undefined) return { state: 'working' as const, ...toProgress(elsewhere) };
  const codice = jobs.blockReason(id);
  return codice === undefined
    ? { state: 'working' as const, ...toProgress(null) }
    : { state: 'stopped' as const, codice };
}

/** Deletes the stored refusal of an upload. */
export async function dismissUpload(
  ctx: AdminCtx,
  { upload: id }: { upload: string },
): Promise<Record<string, never> | Refusal<'NOT_FOUND'>> {
  const { folder } = ctx.uploads;
  if (!isUploadId(id) || (await folder.refused(id)) === null) return refuse('NOT_FOUND');
  await folder.forget(id);
  publishChange(ctx, 'config');
  return {};
}
