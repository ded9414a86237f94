import { createReadStream } from 'node:fs';
import type { Remaking } from '../../../contract/admin/media-work.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Course } from '../../media-worker/worker.ts';
import type { Refused } from '../../refused.ts';
import { companionFile, companionId } from '../media/companion.ts';
import { soundsIn } from '../media/film-sounds.ts';
import { videoOf, warningsIn } from '../media/library.service.ts';
import { fileOf, type Media, mediaKey, putMedia } from '../media/media.service.ts';
import type { End } from './jobs.ts';
import { MP4 } from './make.service.ts';
import {
  beginRemake,
  putRemade,
  type RemakeDeps,
  remakingOf,
  stopRemake,
  type Task,
  taskOf,
} from './remake.service.ts';
import { newUploadId } from './upload-folder.ts';

type Film = { id: string };

/** How far a film's change of sound is. */
export async function soundWorkOf(
  deps: RemakeDeps,
  _actor: AdminActor,
  { id }: Film,
): Promise<Remaking | Refused<'NOT_FOUND'>> {
  return (await videoOf(deps.db, id)) === null ? { refused: 'NOT_FOUND' } : soundOf(deps, id);
}

const soundOf = (deps: RemakeDeps, id: string): Promise<Remaking> =>
  remakingOf(deps, 'sound', { slot: 'video', id });

/** Begins to give a film another of the sounds that it came with. */
export async function chooseSound(
  deps: RemakeDeps,
  _actor: AdminActor,
  { id, sound }: Film & { sound: number },
): Promise<Remaking | Refused<'NOT_FOUND' | 'FILES_BUSY' | 'STORAGE_FULL'>> {
  const task = await taskOf(deps, 'sound', { slot: 'video', id });
  const sounds = task === null ? null : await fileOf(deps, companionId(task.source.id, 'sounds'));
  const isThere = task?.item.sounds[sound] !== undefined;
  if (task === null || sounds === null || !isThere) return { refused: 'NOT_FOUND' };
  if (sound === task.item.sound) return soundOf(deps, id);
  const refused = await beginRemake(deps, task, (made, course) =>
    dub(deps, task, { made, sounds, sound }, course),
  );
  return refused ?? soundOf(deps, id);
}

/** Stops it; what is there stays as it was. */
export const stopSound = (deps: RemakeDeps, _actor: AdminActor, { id }: Film): Promise<Remaking> =>
  stopRemake(deps, 'sound', { slot: 'video', id });

type Dub = { made: string; sounds: Media; sound: number };

/** The sounds go along with the film that is made, so that any of them can be chosen again. */
async function dub(deps: RemakeDeps, task: Task, { made, sounds, sound }: Dub, course: Course): Promise<End> {
  const { source } = task;
  const { storage, mediaWorker } = deps;
  return storage.lend(mediaKey(source), (path) =>
    storage.lend(mediaKey(sounds), async (beside) => {
      const work = { what: 'dub', path, sounds: beside, place: sound, made } as const;
      const outcome = await mediaWorker.do(work, course);
      if (!('made' in outcome)) {
        deps.log.warn({ media: source.id, outcome }, 'a sound could not be changed');
        return { refused: 'UNAVAILABLE' };
      }
      const id = newUploadId();
      const { signal } = course;
      const copy = { ...companionFile('sounds'), content: createReadStream(beside, { signal }) };
      const { row } = await putMedia(deps, copy, companionId(id, 'sounds'));
      const { loudness, duration } = outcome.made;
      const file = {
        ...MP4,
        nome: source.nome,
        content: createReadStream(made, { signal }),
        warnings: warningsIn(source.warnings),
        loudness,
        seconds: duration,
        sounds: soundsIn(source.sounds),
        sound,
      };
      return putRemade(deps, task, { id, file, beside: [row] }, course);
    }),
  );
}
