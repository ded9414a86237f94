import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Remaking } from '../../../contract/admin/media-work.ts';
import { isHeavySong } from '../../../domain/heavy.ts';
import { targetLoudness } from '../../../domain/loudness.ts';
import { MEDIA_SLOTS } from '../../../domain/media-slots.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Course } from '../../media-worker/worker.ts';
import type { Refused } from '../../refused.ts';
import { findConfig } from '../config/config.repo.ts';
import type { InSlot } from '../media/levelled.service.ts';
import { loudnessAt, warningsIn } from '../media/library.service.ts';
import { mediaKey } from '../media/media.service.ts';
import type { End } from './jobs.ts';
import { M4A, MP4 } from './make.service.ts';
import {
  beginRemake,
  putRemade,
  type RemakeDeps,
  remakingOf,
  stopRemake,
  type Task,
  taskOf,
} from './remake.service.ts';

/** How far the levelling of a file is. */
export const levellingOf = (deps: RemakeDeps, _actor: AdminActor, where: InSlot): Promise<Remaking> =>
  remakingOf(deps, 'level', where);

/** Begins to level a file's volume. */
export async function beginLevel(
  deps: RemakeDeps,
  _actor: AdminActor,
  where: InSlot,
): Promise<Remaking | Refused<'NOT_FOUND' | 'FILES_BUSY' | 'STORAGE_FULL'>> {
  const task = await taskOf(deps, 'level', where);
  if (task === null) return { refused: 'NOT_FOUND' };
  const refused = await beginRemake(deps, task, (made, course) => levelTo(deps, task, made, course));
  return refused ?? remakingOf(deps, 'level', where);
}

/** Stops it; what is there stays as it was. */
export const stopLevel = (deps: RemakeDeps, _actor: AdminActor, where: InSlot): Promise<Remaking> =>
  stopRemake(deps, 'level', where);

async function levelTo(deps: RemakeDeps, task: Task, made: string, course: Course): Promise<End> {
  const { source, where } = task;
  const { kind } = MEDIA_SLOTS[where.slot];
  const isSong = kind === 'song';
  const config = await findConfig(deps.db);
  const target = targetLoudness(kind, await loudnessAt(deps.db, config?.video_url ?? null));
  const work = { what: 'level', kind: isSong ? 'song' : 'film', made, target } as const;
  const outcome = await deps.storage.lend(mediaKey(source), (path) =>
    deps.mediaWorker.do({ ...work, path }, course),
  );
  if (!('made' in outcome)) {
    deps.log.warn({ media: source.id, outcome }, 'a volume could not be levelled');
    return { refused: 'UNAVAILABLE' };
  }
  const { size } = await stat(made);
  const file = {
    ...(isSong ? M4A : MP4),
    nome: source.nome,
    content: createReadStream(made, { signal: course.signal }),
    warnings: isSong ? heavyIf(isHeavySong(size)) : warningsIn(source.warnings),
    loudness: outcome.made.loudness,
    seconds: outcome.made.duration,
    original: source.id,
  };
  return putRemade(deps, task, { file }, course);
}

const heavyIf = (isHeavy: boolean) => (isHeavy ? (['HEAVY'] as const) : []);
