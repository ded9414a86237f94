import { MINUTE_MS } from '../../../domain/limits.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/bus.ts';
import { runWhenIdle } from '../../work/at-rest.ts';
import { findFile, mediaKey } from '../media/media.ts';
import { listUndrawn, type PictureWithoutHues, setHues } from './hues.repo.ts';

type JobDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now' | 'live' | 'log'
>;

/** Interval between checks for pictures without hues, in ms; each finished upload also starts one. */
const POLL_MS = MINUTE_MS;
/** Maximum attempts per picture after errors of the machine, until a restart. */
const MAX_ATTEMPTS = 5;

/**
 * Computes the hues of every destination picture, one at a time, while no upload is processed; also of pictures older
 * than this feature. Until then the sky has its dress's colours. Returns a function that stops it.
 */
export function startHuesJob(deps: JobDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  return runWhenIdle({
    ms: POLL_MS,
    onIdle: deps.uploads.jobs.onIdle,
    work: (signal) => drawMissing(deps, signal, failures),
    failed: (error) => deps.log.error({ err: error }, 'looking for pictures without hues failed'),
  });
}

/** Computes missing hues. `failures`: number of machine errors per picture. */
export async function drawMissing(
  deps: JobDeps,
  signal: AbortSignal,
  failures = new Map<string, number>(),
): Promise<void> {
  for (const picture of await listUndrawn(deps.db)) {
    const attempts = failures.get(picture.id) ?? 0;
    if (attempts >= MAX_ATTEMPTS) continue;
    if (signal.aborted || deps.uploads.jobs.isBusy()) return;
    try {
      const hues = await huesOf(deps, picture, signal);
      await deps.inTransaction((tx) => setHues(tx, picture.id, hues));
      publishChange(deps, 'config');
    } catch (error) {
      if (signal.aborted) return;
      failures.set(picture.id, attempts + 1);
      deps.log.warn({ err: error, picture: picture.id }, 'the hues of a picture could not be drawn');
    }
  }
}

/** Returns no hues if the picture can't be read. */
async function huesOf(deps: JobDeps, { url }: PictureWithoutHues, signal: AbortSignal): Promise<string[]> {
  const media = await findFile(deps, mediaIdOf(url) ?? '');
  if (media === null) return [];
  const control = { signal, progress: () => undefined };
  const result = await deps.storage.withLocalPath(mediaKey(media), (path) =>
    deps.mediaWorker.run({ task: 'hues', path }, control),
  );
  return 'hues' in result ? result.hues : [];
}
