import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renditionName } from '../../../domain/renditions.ts';
import type { Deps } from '../../deps.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import type { CompanionKind } from '../media/companion.ts';

/** A file stored next to a converted one. Film and picture are complete without it. */
export type Companion = { kind: CompanionKind; path: string };

type SizesDeps = Pick<Deps, 'mediaWorker' | 'log'>;

/**
 * Creates the sizes and formats of a converted picture in a folder. Returns none if that fails: the picture is complete without them.
 * Rejects if aborted.
 * @param own width of the picture in px
 */
export async function createRenditions(
  deps: SizesDeps,
  picture: { path: string; folder: string },
  own: number,
  course: TaskControl,
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
  course: TaskControl,
): Promise<Companion[]> {
  await mkdir(folder, { recursive: true });
  const outcome = await mediaWorker.run({ task: 'renditions', path, folder }, course);
  if ('renditions' in outcome)
    return outcome.renditions.map((each) => ({
      kind: renditionName(each, own),
      path: join(folder, each.file),
    }));
  log.warn(outcome, 'a picture is kept without its sizes');
  return [];
}
