import { createHash } from 'node:crypto';
import type { MediaItem } from '../../../contract/admin/media-item.ts';
import type { Remaking } from '../../../contract/admin/media-work.ts';
import { DISK_ROOM } from '../../../domain/limits.ts';
import { mediaIdOf } from '../../../domain/media-address.ts';
import { textCode } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import { NO_FFMPEG } from '../../media-worker/door.ts';
import type { Course } from '../../media-worker/worker.ts';
import type { Refused } from '../../refused.ts';
import { lockConfig } from '../config/config.repo.ts';
import { type InSlot, itemIn, putInstead } from '../media/levelled.service.ts';
import { insertMedia } from '../media/media.repo.ts';
import {
  fileOf,
  leaveMedia,
  type Media,
  type NewMedia,
  putMedia,
  removeMedia,
} from '../media/media.service.ts';
import { hasRoom } from '../media/room.ts';
import type { End } from './jobs.ts';
import { AskedToLeave, whileHeld } from './leases.ts';
import { refusedByError } from './refused-by-error.ts';
import { newUploadId } from './upload-folder.ts';
import { farAs, idsAtWork, stopWork, workOn } from './uploads.ts';

export type RemakeDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now' | 'live' | 'log'
>;

/** What of a kept file is made anew. */
type What = 'level';

/** A file that is to be made anew: where it is, the file that is there now, and the one as it came. */
export type Task = { where: InSlot; key: string; item: MediaItem; source: Media };

/** The job of a file: of an upload's form, so that nobody sweeps its places away. */
const keyOf = (what: What, { slot, id }: InSlot) =>
  createHash('sha256').update(`${what} of ${slot} ${id}`).digest('hex').slice(0, 32);

/** What is to be made anew, or null where there is no such file. */
export async function taskOf(deps: RemakeDeps, what: What, where: InSlot): Promise<Task | null> {
  const item = await itemIn(deps.db, where);
  const file = item === undefined ? null : await fileOf(deps, mediaIdOf(item.url) ?? '');
  const source = file?.original == null ? file : await fileOf(deps, file.original);
  return item === undefined || source === null ? null : { where, key: keyOf(what, where), item, source };
}

/** How far it is. */
export async function remakingOf(
  { uploads }: Pick<Deps, 'uploads'>,
  what: What,
  where: InSlot,
): Promise<Remaking> {
  const { jobs, leases } = uploads;
  const key = keyOf(what, where);
  const working = jobs.find(key)?.working();
  if (working !== undefined) return { state: 'working', ...working };
  const other = (await leases.held()).find((held) => held.key === workOn(key));
  if (other !== undefined) return { state: 'working', ...farAs(other.progress) };
  const codice = jobs.hindrance(key);
  return codice === undefined ? { state: 'idle' } : { state: 'stopped', codice };
}

type Making = (made: string, course: Course) => Promise<End>;

/**
 * Begins to make a file anew, always from the file as it came; `remakingOf` tells how far it is. While the media worker is at something else it is
 * refused.
 * @param make at this path, and puts it into its place
 */
export async function beginRemake(
  deps: RemakeDeps,
  { key, source }: Task,
  make: Making,
): Promise<Refused<'FILES_BUSY' | 'STORAGE_FULL'> | null> {
  const { jobs } = deps.uploads;
  const isAtWork = await idsAtWork(deps.uploads);
  // What is made lies beside what is stored for a moment.
  if (!(await hasRoom(deps, DISK_ROOM.low + 2 * source.size))) return { refused: 'STORAGE_FULL' };
  if (jobs.find(key) === undefined && (jobs.isBusy() || isAtWork(key))) return { refused: 'FILES_BUSY' };
  void jobs.of(key, (course) => run(deps, key, make, course));
  return null;
}

/** Stops it; what is there stays as it was. */
export async function stopRemake(deps: RemakeDeps, what: What, where: InSlot): Promise<Remaking> {
  await stopWork(deps.uploads, keyOf(what, where));
  return remakingOf(deps, what, where);
}

async function run(deps: RemakeDeps, key: string, make: Making, course: Course): Promise<End> {
  const { folder, jobs, leases } = deps.uploads;
  const end = await whileHeld(leases, workOn(key), course, (held) =>
    folder.withMade(key, ({ made }) => jobs.inTurn(held.signal, () => make(made, held))),
  ).catch((error: unknown) => endByError(deps, error, course));
  announce(deps, 'config');
  return end;
}

function endByError({ log }: RemakeDeps, error: unknown, { signal }: Course): End {
  if (signal.aborted || error instanceof AskedToLeave) return { refused: 'NOT_FOUND' };
  if (textCode(error) === NO_FFMPEG) return { refused: NO_FFMPEG };
  try {
    return refusedByError(error);
  } catch {
    log.error({ err: error }, 'a file could not be made anew');
    return { refused: 'UNAVAILABLE' };
  }
}

/** What was made: its id, what it is, and the rows of what is stored beside it. */
type Remade = { id?: string; file: NewMedia; beside?: Parameters<typeof insertMedia>[1][] };

/**
 * Stores what was made and puts it into the place of the file that was there; its row and what points to it in one transaction. The file that was there
 * goes, and stays where it is the new one's original.
 */
export async function putRemade(
  deps: RemakeDeps,
  { where, item, source }: Task,
  { id = newUploadId(), file, beside = [] }: Remade,
  { signal }: Course,
): Promise<End> {
  const { row, stored } = await putMedia(deps, file, id);
  signal.throwIfAborted();
  return deps.inTransaction(async (tx) => {
    const now = deps.now();
    await lockConfig(tx);
    await insertMedia(tx, { ...row, created_at: source.created_at });
    for (const each of beside) await insertMedia(tx, each);
    const isThere = await putInstead(tx, where, { from: item.url, url: stored.url, now });
    const before = mediaIdOf(item.url);
    // Deleted or replaced meanwhile: then this one isn't wanted.
    if (!isThere) await leaveMedia(tx, stored.id, now);
    else if (before !== null && file.original == null) await removeMedia(tx, before, now);
    else if (before !== null && before !== file.original) await leaveMedia(tx, before, now);
    return isThere ? { kept: true } : { refused: 'NOT_FOUND' };
  });
}
