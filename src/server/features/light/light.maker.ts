import { DISK_SPACE } from '../../../domain/limits.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import { Preempted } from '../../media-worker/worker.ts';
import { runWhenIdle } from '../../work/at-rest.ts';
import { listUnmade, markLightFailed } from './light.repo.ts';
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
export function startLightJob(deps: MakerDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  return runWhenIdle({
    ms: LOOK_MS,
    onIdle: deps.uploads.jobs.onIdle,
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
    if ((await deps.uploads.folder.freeBytes()) < 2 * DISK_SPACE.low) return;
    try {
      await makeLight(deps, film, signal);
      publishChange(deps, 'config');
    } catch (error) {
      if (signal.aborted || error instanceof Preempted) return;
      failures.set(film.url, tried + 1);
      deps.log.warn({ err: error, video: film.id }, 'a light film could not be made');
      if (tried + 1 < TRIES) continue;
      await deps.inTransaction((tx) => markLightFailed(tx, film));
      publishChange(deps, 'config');
    }
  }
}
