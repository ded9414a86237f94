import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Levelling, MediaItem } from '../../../contract/admin/media.ts';
import { isHeavySong } from '../../../domain/heavy.ts';
import { DISK_ROOM } from '../../../domain/limits.ts';
import { targetLoudness } from '../../../domain/loudness.ts';
import { mediaIdOf } from '../../../domain/media-address.ts';
import { MEDIA_SLOTS } from '../../../domain/media-slots.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import type { Made } from '../../media-worker/door.ts';
import type { Course } from '../../media-worker/worker.ts';
import type { Refused } from '../../refused.ts';
import { findConfig, lockConfig } from '../config/config.repo.ts';
import { type InSlot, itemIn, putInstead } from '../media/levelled.service.ts';
import { loudnessAt, warningsIn } from '../media/library.service.ts';
import { insertMedia } from '../media/media.repo.ts';
import { fileOf, leaveMedia, type Media, mediaKey, putMedia } from '../media/media.service.ts';
import type { End } from './jobs.ts';
import { M4A, MP4 } from './make.service.ts';
import { refusedByError } from './refused-by-error.ts';
import { newUploadId } from './upload-folder.ts';

type LevelDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now' | 'live' | 'log'
>;

/** What is levelled: where it is, the file that is there now, and the one as it came. */
type Task = InSlot & { key: string; item: MediaItem; source: Media };

/** The job of a file: of an upload's form, so that nobody sweeps its places away. */
const keyOf = ({ slot, id }: InSlot) =>
  createHash('sha256').update(`level of ${slot} ${id}`).digest('hex').slice(0, 32);

/** How far the levelling of a file is. */
export function levellingOf({ uploads }: LevelDeps, _actor: AdminActor, where: InSlot): Levelling {
  const { jobs } = uploads;
  const key = keyOf(where);
  const working = jobs.find(key)?.working();
  if (working !== undefined) return { state: 'working', ...working };
  const codice = jobs.hindrance(key);
  return codice === undefined ? { state: 'idle' } : { state: 'stopped', codice };
}

/**
 * Begins to level a file's volume, always from the file as it came; `levellingOf` tells how far it is. While the media worker is at something
 * else it is refused.
 */
export async function beginLevel(
  deps: LevelDeps,
  actor: AdminActor,
  where: InSlot,
): Promise<Levelling | Refused<'NOT_FOUND' | 'FILES_BUSY' | 'STORAGE_FULL'>> {
  const { folder, jobs } = deps.uploads;
  const key = keyOf(where);
  const item = await itemIn(deps.db, where);
  const file = item === undefined ? null : await fileOf(deps, mediaIdOf(item.url) ?? '');
  const source = file?.original == null ? file : await fileOf(deps, file.original);
  if (item === undefined || source === null) return { refused: 'NOT_FOUND' };
  // What is made lies beside what is stored for a moment.
  if ((await folder.room()) < DISK_ROOM.low + 2 * source.size) return { refused: 'STORAGE_FULL' };
  if (jobs.find(key) === undefined && jobs.isBusy()) return { refused: 'FILES_BUSY' };
  const task = { ...where, key, item, source };
  void jobs.of(key, (course) => run(deps, task, course));
  return levellingOf(deps, actor, where);
}

/** Stops it; what is there stays as it was. */
export async function stopLevel(deps: LevelDeps, actor: AdminActor, where: InSlot): Promise<Levelling> {
  await deps.uploads.jobs.stop(keyOf(where));
  return levellingOf(deps, actor, where);
}

async function run(deps: LevelDeps, task: Task, course: Course): Promise<End> {
  const { folder, jobs } = deps.uploads;
  const end = await folder
    .withMade(task.key, ({ made }) => jobs.inTurn(course.signal, () => levelTo(deps, task, made, course)))
    .catch((error: unknown) => endByError(deps, error, course));
  announce(deps, 'config');
  return end;
}

function endByError({ log }: LevelDeps, error: unknown, { signal }: Course): End {
  if (signal.aborted) return { refused: 'NOT_FOUND' };
  try {
    return refusedByError(error);
  } catch {
    log.error({ err: error }, 'a volume could not be levelled');
    return { refused: 'UNAVAILABLE' };
  }
}

async function levelTo(deps: LevelDeps, task: Task, made: string, course: Course): Promise<End> {
  const { kind } = MEDIA_SLOTS[task.slot];
  const config = await findConfig(deps.db);
  const target = targetLoudness(kind, await loudnessAt(deps.db, config?.video_url ?? null));
  const work = { what: 'level', kind: kind === 'song' ? 'song' : 'film', made, target } as const;
  const outcome = await deps.storage.lend(mediaKey(task.source), (path) =>
    deps.mediaWorker.do({ ...work, path }, course),
  );
  if (!('made' in outcome)) {
    deps.log.warn({ media: task.source.id, outcome }, 'a volume could not be levelled');
    return { refused: 'UNAVAILABLE' };
  }
  return put(deps, task, { made, ...outcome.made }, course);
}

/** Stores what was made and puts it into the place of the file that was there; its row and what points to it in one transaction. */
async function put(
  deps: LevelDeps,
  { source, item, ...where }: Task,
  { made, loudness }: Pick<Made, 'loudness'> & { made: string },
  { signal }: Course,
): Promise<End> {
  const isSong = where.slot === 'canzone';
  const { size } = await stat(made);
  const file = {
    ...(isSong ? M4A : MP4),
    nome: source.nome,
    content: createReadStream(made, { signal }),
    warnings: isSong ? heavyIf(isHeavySong(size)) : warningsIn(source.warnings),
    loudness,
    original: source.id,
  };
  const { row, stored } = await putMedia(deps, file, newUploadId());
  signal.throwIfAborted();
  return deps.inTransaction(async (tx) => {
    const now = deps.now();
    await lockConfig(tx);
    await insertMedia(tx, { ...row, created_at: source.created_at });
    const isThere = await putInstead(tx, where, { from: item.url, url: stored.url, now });
    const before = mediaIdOf(item.url);
    // Deleted or replaced meanwhile: then this one isn't wanted.
    if (!isThere) await leaveMedia(tx, stored.id, now);
    else if (before !== null && before !== source.id) await leaveMedia(tx, before, now);
    return isThere ? { kept: true } : { refused: 'NOT_FOUND' };
  });
}

const heavyIf = (isHeavy: boolean) => (isHeavy ? (['HEAVY'] as const) : []);
