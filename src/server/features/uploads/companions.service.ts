import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renditionName } from '../../../domain/pictures.ts';
import type { Deps } from '../../deps.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import type { CompanionKind } from '../media/companion.ts';

/** A file stored next to a converted one. Film and picture are complete without it. */
export type Companion = { kind: CompanionKind; path: string };

type SizesDeps = Pick<Deps, 'mediaWorker' | 'log'>;

/**
 * Creates the sizes and formats of a converted picture in a folder. Returns none if that fails: the picture is complete without them.
 * Rejects if aborted.
 * @param width width of the picture in px
 */
export async function createRenditions(
  deps: SizesDeps,
  picture: { path: string; folder: string },
  width: number,
  control: TaskControl,
): Promise<Companion[]> {
  try {
    return await makeSizes(deps, picture, width, control);
  } catch (error) {
    control.signal.throwIfAborted();
    deps.log.warn({ err: error }, 'a picture is kept without its sizes');
    return [];
  }
}

async function makeSizes(
  { mediaWorker, log }: SizesDeps,
  { path, folder }: { path: string; folder: string },
  width: number,
  control: TaskControl,
): Promise<Companion[]> {
  await mkdir(folder, { recursive: true });
  const result = await mediaWorker.run({ task: 'renditions', path, folder }, control);
  if ('renditions' in result)
    return result.renditions.map((each) => ({
      kind: renditionName(each, width),
      path: join(folder, each.file),
    }));
  log.warn(result, 'a picture is kept without its sizes');
  return [];
}
