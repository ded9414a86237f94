import { setTimeout as delay } from 'node:timers/promises';
import type { FileRefusal, MediaItem } from '../../../contract/admin/media.ts';
import { mediaUrl } from '../../../domain/media-address.ts';
import { SLOT_NAMES } from '../../../domain/media-slots.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { isNoRoom, isUniqueViolation } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import { isOutage } from '../../http/outage.ts';
import { announce } from '../../live/announce.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { readSlot } from '../media/library.service.ts';
import { fileOf } from '../media/media.service.ts';
import { checkInThread } from './checks/in-thread.ts';
import type { Course, End, Job } from './jobs.ts';
import { keep } from './keep.service.ts';
import { type Arriving, isUploadId } from './upload-folder.ts';

type FinishDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'uploads' | 'now' | 'live' | 'log'>;

type Finished =
  | { state: 'working'; progress: number }
  | { state: 'done'; item: MediaItem; versione: number }
  | Refused<FileRefusal | 'STORAGE_FULL' | 'UNAVAILABLE' | 'NOT_FOUND' | 'UPLOAD_UNFINISHED'>;

/** A check that ends within this time (ms) is answered by its end at once. */
const WAIT_MS = 1_000;

/**
 * Checks and keeps an upload. However often it is asked, at once or again after the end (or after a restart in the middle), the file is kept
 * once and the answer is the same: a kept file has the id of its upload, a refusal is remembered beside it.
 */
export async function finishUpload(
  deps: FinishDeps,
  _actor: AdminActor,
  { upload: id }: { upload: string },
): Promise<Finished> {
  if (!isUploadId(id)) return { refused: 'NOT_FOUND' };
  const known = await endOf(deps, id);
  if (known !== null) {
    // The process may have died between keeping the file and removing what it was made of.
    if ('state' in known && !deps.uploads.jobs.has(id)) await deps.uploads.folder.forget(id);
    return known;
  }
  const upload = await deps.uploads.folder.find(id);
  // It may have ended between the two looks.
  if (upload === null) return (await endOf(deps, id)) ?? { refused: 'NOT_FOUND' };
  if (upload.offset < upload.size) return { refused: 'UPLOAD_UNFINISHED' };
  const job = deps.uploads.jobs.of(id, (course) => run(deps, upload, course));
  const end = await soon(job);
  if (end === null) return { state: 'working', progress: job.progress };
  if (isRefused(end)) return end;
  return (await endOf(deps, id)) ?? { refused: 'NOT_FOUND' };
}

/** The end of a job that ends within the wait, or null. */
async function soon(job: Job): Promise<End | null> {
  const waiting = new AbortController();
  const waited = delay(WAIT_MS, null, { signal: waiting.signal }).catch(() => null);
  return Promise.race([job.end, waited]).finally(() => waiting.abort());
}

/** How this upload ended before, or null when it has not. */
async function endOf(deps: FinishDeps, id: string): Promise<Finished | null> {
  const refused = await deps.uploads.folder.refusalOf(id);
  if (refused !== null) return { refused };
  const media = await fileOf(deps, id);
  if (media === null) return null;
  if (media.deleted_at !== null) return { refused: 'NOT_FOUND' };
  const url = mediaUrl(media);
  for (const slot of SLOT_NAMES) {
    const { items, versione } = await readSlot(deps.db, slot);
    const item = items.find((each) => each.url === url || each.poster_url === url);
    if (item !== undefined) return { state: 'done', item, versione };
  }
  return { refused: 'NOT_FOUND' };
}

async function run(deps: FinishDeps, upload: Arriving, course: Course): Promise<End> {
  const { folder } = deps.uploads;
  const end = await folder
    .withMade(upload.id, (made) => checkAndKeep(deps, upload, made, course))
    .catch((error: unknown) => endByError(deps, upload.id, error, course));
  if (isRefused(end)) return end;
  await folder.remove(upload.id);
  announce(deps, 'config');
  return end;
}

async function checkAndKeep(deps: FinishDeps, upload: Arriving, made: string, course: Course): Promise<End> {
  const { folder, jobs } = deps.uploads;
  const places = { path: folder.pathOf(upload.id), made };
  const good = await jobs.inTurn(course.signal, () =>
    checkInThread({ target: upload.target, places }, course),
  );
  if (isRefused(good)) {
    await folder.remove(upload.id, good.refused);
    return good;
  }
  await keep(deps, upload, good, course);
  return { kept: true };
}

/** What an error in the middle means. Nothing is remembered of those that a second try may not meet again: the bytes are still here. */
function endByError({ log }: FinishDeps, id: string, error: unknown, { signal }: Course): End {
  // Another process was quicker: the file is there.
  if (isUniqueViolation(error)) return { kept: true };
  if (signal.aborted) return { refused: 'NOT_FOUND' };
  if (isNoRoom(error)) return { refused: 'STORAGE_FULL' };
  if (isOutage(error)) {
    log.warn({ err: error, upload: id }, 'an upload could not be kept');
    return { refused: 'UNAVAILABLE' };
  }
  throw error;
}
