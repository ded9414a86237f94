import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilmSound } from '../../../contract/admin/media-item.ts';
import { renditionName } from '../../../domain/renditions.ts';
import type { Deps } from '../../deps.ts';
import type { Made } from '../../media-worker/door.ts';
import type { Course } from '../../media-worker/worker.ts';
import type { CompanionKind } from '../media/companion.ts';

/** What is stored beside a file that was made: the film and the picture are good without it. */
export type Companion = { kind: CompanionKind; path: string };

type SizesDeps = Pick<Deps, 'mediaWorker' | 'log'>;

/**
 * Makes the sizes and formats of a picture that was made, into a folder. None where that fails: the picture itself is good.
 * Rejects when it is stopped.
 * @param own the picture's width in pixels
 */
export async function sizesOf(
  deps: SizesDeps,
  picture: { path: string; folder: string },
  own: number,
  course: Course,
): Promise<Companion[]> {
  try {
    return await makeSizes(deps, picture, own, course);
  } catch (error) {
    course.signal.throwIfAborted();
    deps.log.warn({ err: error }, 'a picture is kept without its sizes');
    return [];
  }
}

async function makeSizes(
  { mediaWorker, log }: SizesDeps,
  { path, folder }: { path: string; folder: string },
  own: number,
  course: Course,
): Promise<Companion[]> {
  await mkdir(folder, { recursive: true });
  const outcome = await mediaWorker.do({ what: 'renditions', path, folder }, course);
  if ('renditions' in outcome)
    return outcome.renditions.map((each) => ({
      kind: renditionName(each, own),
      path: join(folder, each.file),
    }));
  log.warn(outcome, 'a picture is kept without its sizes');
  return [];
}

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
