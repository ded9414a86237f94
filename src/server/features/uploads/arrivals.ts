import type { FileRefusal } from '../../../contract/admin/media-work.ts';
import { DISK_SPACE } from '../../../domain/limits.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { isNoRoom, isUniqueViolation, textCode } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import { isOutage } from '../../http/outage.ts';
import { announce } from '../../live/announce.ts';
import { NO_FFMPEG } from '../../media-worker/door.ts';
import type { Course } from '../../media-worker/worker.ts';
import { isRefused } from '../../refused.ts';
import { every } from '../../work/every.ts';
import { hasRoom } from '../media/room.ts';
import type { End, Job } from './jobs.ts';
import { keep } from './keep.service.ts';
import { AskedToLeave, LeaseLost, whileHeld } from './leases.ts';
import { make } from './make.service.ts';
import { partOf } from './part-of.ts';
import type { Arriving, Places } from './upload-folder.ts';
import { idsAtWork, workOn } from './uploads.ts';

export type WorkDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now' | 'live' | 'log'
>;

/** So often it is looked for uploads that nobody is at: a restart or an outage interrupted them. */
const LOOK_MS = MINUTE_MS;

/** Works on what has arrived, whether anybody waits for it or not. The folder is the queue: every upload that is whole and has no end. */
export function startArrivals(deps: WorkDeps): () => Promise<void> {
  const failed = (error: unknown) => deps.log.error({ err: error }, 'looking for uploads failed');
  const looks = every(LOOK_MS, () => beginArrived(deps), failed);
  looks.now();
  return async () => void (await Promise.all([looks.stop(), deps.uploads.jobs.close()]));
}

/** Begins the work on all that has arrived and that nobody is at. */
export async function beginArrived(deps: WorkDeps): Promise<void> {
  const { folder, jobs } = deps.uploads;
  const isAtWork = await idsAtWork(deps.uploads);
  const whole = (await folder.list())
    .flatMap(({ upload }) => upload ?? [])
    .filter(({ id, size, offset }) => offset === size && !jobs.hasFailed(id) && !isAtWork(id))
    .toSorted((a, b) => a.touched - b.touched);
  for (const upload of whole) {
    // Without room it would all be for nothing, a minute later again.
    const tooLittle = jobs.tooLittle.get(upload.id);
    const least = Math.max(2 * upload.size + DISK_SPACE.low, (tooLittle ?? 0) + upload.size);
    const wanted = (await folder.refused(upload.id)) === null;
    if (wanted && (await hasRoom(deps, least))) void jobOf(deps, upload);
  }
}

/** Begins the work on an upload whose last byte has come. */
export function beginUpload(deps: WorkDeps, id: string): void {
  const failed = (error: unknown) => deps.log.error({ err: error, upload: id }, 'an upload was not begun');
  deps.uploads.folder.find(id).then((upload) => {
    if (upload === null) return;
    void jobOf(deps, upload);
    announce(deps, 'config');
  }, failed);
}

/** The work on an upload: what is under way, or begun now. */
export function jobOf(deps: WorkDeps, upload: Arriving): Job {
  return deps.uploads.jobs.of(upload.id, (course) => run(deps, upload, course));
}

async function run(deps: WorkDeps, upload: Arriving, course: Course): Promise<End> {
  const { folder, jobs, leases } = deps.uploads;
  const end = await whileHeld(leases, workOn(upload.id), course, (held, insist) =>
    workOut(deps, upload, held, insist),
  ).catch((error: unknown) => endByError(deps, upload.id, error, course));
  if (isRefused(end) && end.refused === 'STORAGE_FULL') jobs.tooLittle.set(upload.id, await folder.room());
  announce(deps, 'config');
  return end;
}

/** @param insist before anything is kept: no other node may be keeping it as well */
async function workOut(
  deps: WorkDeps,
  upload: Arriving,
  course: Course,
  insist: () => Promise<void>,
): Promise<End> {
  const { folder, jobs } = deps.uploads;
  // Another node was at it, and how that ended is remembered where all of them find it.
  if ((await folder.find(upload.id)) === null) return ENDED;
  const end = await folder
    .withMade(
      upload.id,
      (places) =>
        jobs.inTurn(course.signal, () =>
          folder.lend(upload.id, course.signal, (path) =>
            makeAndKeep(deps, { ...upload, path }, places, { ...course, insist }),
          ),
        ),
      () => !(course.signal.reason instanceof LeaseLost),
    )
    .catch((error: unknown) => {
      // Another process was quicker: the file is there.
      if (isUniqueViolation(error)) return ENDED;
      throw error;
    });
  if (!isRefused(end)) await folder.remove(upload.id);
  return end;
}

/** The file is in its slot, or what has become of it is known by its id. */
const ENDED = { kept: true } as const;

/** The keeping is so much of the work (0 to 1). */
const KEEPING = 0.1;

async function makeAndKeep(
  deps: WorkDeps,
  upload: Arriving & { path: string },
  places: Places,
  course: Course & { insist(): Promise<void> },
): Promise<End> {
  const making = partOf(course, 0, 1 - KEEPING);
  const keeping = partOf(course, 1 - KEEPING, 1);
  const good = await make(deps, upload, places, making);
  if (isRefused(good)) {
    await refuse(deps, upload, good.refused);
    return good;
  }
  keeping.progress(0);
  await course.insist();
  await keep(deps, upload, good, keeping);
  return ENDED;
}

async function refuse({ uploads }: WorkDeps, upload: Arriving, codice: FileRefusal): Promise<void> {
  const { id, slot, filename, size } = upload;
  await uploads.folder.remove(id, { codice, slot, filename, size });
}

/** What an error in the middle means. Nothing is remembered of those that a second try may not meet again: the bytes are still here. */
async function endByError(
  { uploads, log }: WorkDeps,
  id: string,
  error: unknown,
  { signal }: Course,
): Promise<End> {
  if (signal.aborted || error instanceof AskedToLeave) return { refused: 'NOT_FOUND' };
  // Somebody removed it meanwhile, or another node ended it.
  if ((await uploads.folder.find(id)) === null) return ENDED;
  if (isNoRoom(error)) return { refused: 'STORAGE_FULL' };
  if (textCode(error) === NO_FFMPEG) {
    log.warn({ err: error, upload: id }, 'an upload waits for FFmpeg');
    return { refused: NO_FFMPEG };
  }
  if (isOutage(error)) {
    log.warn({ err: error, upload: id }, 'an upload could not be kept');
    return { refused: 'UNAVAILABLE' };
  }
  log.error({ err: error, upload: id }, 'an upload failed');
  throw error;
}
