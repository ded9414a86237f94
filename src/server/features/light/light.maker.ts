import { DISK_SPACE } from '../../../domain/limits.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import { GaveWay } from '../../media-worker/worker.ts';
import { atRest } from '../../work/at-rest.ts';
import { listUnmade, noteFailed } from './light.repo.ts';
import { type LightDeps, makeLight } from './light.service.ts';

type MakerDeps = LightDeps & Pick<Deps, 'live' | 'log'>;

/** So often it is looked for films without a light version. */
const LOOK_MS = MINUTE_MS;
/** How often one is tried that errors of the machine ended; a restart begins anew. */
const TRIES = 5;

/**
 * Makes the light version of every film of the list, one at a time, while nobody waits for the media worker; also of films that came before there
 * were light versions. Returns what stops it.
 */
export function startLight(deps: MakerDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  return atRest({
    ms: LOOK_MS,
    onRest: deps.uploads.jobs.onRest,
    work: (signal) => makeMissing(deps, failures, signal),
    failed: (error) => deps.log.error({ err: error }, 'looking for films to make light failed'),
  });
}

/** Makes what is missing until something else is to be done. `failures`: by film, how often an error of the machine ended it. */
export async function makeMissing(
  deps: MakerDeps,
  failures: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  for (const film of await listUnmade(deps.db)) {
    const tried = failures.get(film.url) ?? 0;
    if (tried >= TRIES) continue;
    if (signal.aborted || deps.uploads.jobs.isBusy()) return;
    // A light film is small, but nothing is risked for it.
    if ((await deps.uploads.folder.room()) < 2 * DISK_SPACE.low) return;
    try {
      await makeLight(deps, film, signal);
      announce(deps, 'config');
    } catch (error) {
      if (signal.aborted || error instanceof GaveWay) return;
      failures.set(film.url, tried + 1);
      deps.log.warn({ err: error, video: film.id }, 'a light film could not be made');
      if (tried + 1 < TRIES) continue;
      await deps.inTransaction((tx) => noteFailed(tx, film));
      announce(deps, 'config');
    }
  }
}
