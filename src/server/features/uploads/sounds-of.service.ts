import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilmSound } from '../../../contract/admin/media-item.ts';
import type { Deps } from '../../deps.ts';
import type { Made } from '../../media-worker/door.ts';
import type { Course } from '../../media-worker/worker.ts';
import type { Companion } from './make.service.ts';

type Sounds = { companion: Companion; sounds: FilmSound[]; sound: number };

/**
 * Keeps the sounds that a film may be given, where it came with several. Nothing where that fails: the film itself is good.
 * Rejects when it is stopped, or with an error of the machine.
 * @param film that was made of this file
 */
export async function soundsOf(
  { mediaWorker, log }: Pick<Deps, 'mediaWorker' | 'log'>,
  film: Pick<Made, 'sounds' | 'sound'>,
  { path, folder }: { path: string; folder: string },
  course: Course,
): Promise<Sounds | { companion?: never }> {
  if (film.sounds.length < 2) return {};
  await mkdir(folder, { recursive: true });
  const made = join(folder, 'sounds');
  const outcome = await mediaWorker.do({ what: 'sounds', path, made, sound: film.sound }, course);
  const found = 'sounds' in outcome ? outcome.sounds : [];
  const sound = found.findIndex(({ track }) => track === film.sound);
  if (sound === -1) {
    log.warn(outcome, 'a film is kept without a choice of sounds');
    return {};
  }
  const sounds = found.map(({ language, title, channels }) => ({ language, title, channels }));
  return { companion: { kind: 'sounds', path: made }, sounds, sound };
}
