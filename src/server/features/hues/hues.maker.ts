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

/** So often it is looked for pictures whose hues aren't known, beside after each upload. */
const LOOK_MS = MINUTE_MS;
/** How often one is tried that errors of the machine ended; a restart begins anew. */
const TRIES = 5;

/**
 * Draws the hues of every destination's picture, one at a time, once no upload is being worked on; also of pictures that came before there were hues.
 * Until then the sky has its dress's own. Returns what stops it.
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

/** Draws what is missing. `failures`: by picture, how often an error of the machine ended it. */
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

/** Of a picture that can't be read any more there are none. */
async function huesOf(deps: MakerDeps, { url }: PictureWithoutHues, signal: AbortSignal): Promise<string[]> {
  const media = await findFile(deps, mediaIdOf(url) ?? '');
  if (media === null) return [];
  const course = { signal, progress: () => undefined };
  const outcome = await deps.storage.withLocalPath(mediaKey(media), (path) =>
    deps.mediaWorker.run({ task: 'hues', path }, course),
  );
  return 'hues' in outcome ? outcome.hues : [];
}
