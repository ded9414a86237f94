import { mediaIdOf } from '../../../domain/media-address.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import { runWhenIdle } from '../../work/at-rest.ts';
import { findFile, mediaKey } from '../media/media.service.ts';
import { listUndrawn, type PictureWithoutHues, setHues } from './hues.repo.ts';

type MakerDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now' | 'live' | 'log'
>;

/** Interval between checks for pictures without hues, in ms; each finished upload also starts one. */
const LOOK_MS = MINUTE_MS;
/** Maximum attempts per picture after errors of the machine, until a restart. */
const TRIES = 5;

/**
 * Computes the hues of every destination picture, one at a time, while no upload is processed; also of pictures older
 * than this feature. Until then the sky has its dress's colours. Returns a function that stops it.
 */
export function startHuesJob(deps: MakerDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  return runWhenIdle({
    ms: LOOK_MS,
    onIdle: deps.uploads.jobs.onIdle,
    work: (signal) => drawMissing(deps, signal, failures),
    failed: (error) => deps.log.error({ err: error }, 'looking for pictures without hues failed'),
  });
}

/** Computes missing hues. `failures`: number of machine errors per picture. */
export async function drawMissing(
  deps: MakerDeps,
  signal: AbortSignal,
  failures = new Map<string, number>(),
): Promise<void> {
  for (const picture of await listUndrawn(deps.db)) {
    const tried = failures.get(picture.id) ?? 0;
    if (tried >= TRIES) continue;
    if (signal.aborted || deps.uploads.jobs.isBusy()) return;
    try {
      const hues = await huesOf(deps, picture, signal);
      await deps.inTransaction((tx) => setHues(tx, picture.id, hues));
      publishChange(deps, 'config');
    } catch (error) {
      if (signal.aborted) return;
      failures.set(picture.id, tried + 1);
      deps.log.warn({ err: error, picture: picture.id }, 'the hues of a picture could not be drawn');
    }
  }
}

/** Returns no hues if the picture can't be read. */
async function huesOf(deps: MakerDeps, { url }: PictureWithoutHues, signal: AbortSignal): Promise<string[]> {
  const media = await findFile(deps, mediaIdOf(url) ?? '');
  if (media === null) return [];
  const course = { signal, progress: () => undefined };
  const outcome = await deps.storage.withLocalPath(mediaKey(media), (path) =>
    deps.mediaWorker.run({ task: 'hues', path }, course),
  );
  return 'hues' in outcome ? outcome.hues : [];
}
