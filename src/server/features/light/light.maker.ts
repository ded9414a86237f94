import { DISK_SPACE } from '../../../domain/limits.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import { Preempted } from '../../media-worker/worker.ts';
import { runWhenIdle } from '../../work/at-rest.ts';
import { listUnmade, markLightFailed } from './light.repo.ts';
import { type LightDeps, makeLight } from './light.ts';

type JobDeps = LightDeps & Pick<Deps, 'live' | 'log'>;

/** Interval between checks for films without a light version, in ms. */
const POLL_MS = MINUTE_MS;
/** Maximum attempts per film after errors of the machine, until a restart. */
const MAX_ATTEMPTS = 5;

/**
 * Creates the light version of every listed film, one at a time, while no other media work is pending; also of films
 * older than this feature. Returns a function that stops it.
 */
export function startLightJob(deps: JobDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  return runWhenIdle({
    ms: POLL_MS,
    onIdle: deps.uploads.jobs.onIdle,
    work: (signal) => makeMissing(deps, failures, signal),
    failed: (error) => deps.log.error({ err: error }, 'looking for films to make light failed'),
  });
}

/** Creates missing light versions until other work is pending. `failures`: number of machine errors per film. */
export async function makeMissing(
  deps: JobDeps,
  failures: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  for (const film of await listUnmade(deps.db)) {
    const attempts = failures.get(film.url) ?? 0;
    if (attempts >= MAX_ATTEMPTS) continue;
    if (signal.aborted || deps.uploads.jobs.isBusy()) return;
    // A light film is small, but optional: it needs ample free space.
    if ((await deps.uploads.folder.freeBytes()) < 2 * DISK_SPACE.low) return;
    try {
      await makeLight(deps, film, signal);
      publishChange(deps, 'config');
    } catch (error) {
      if (signal.aborted || error instanceof Preempted) return;
      failures.set(film.url, attempts + 1);
      deps.log.warn({ err: error, video: film.id }, 'a light film could not be made');
      if (attempts + 1 < MAX_ATTEMPTS) continue;
      await deps.inTransaction((tx) => markLightFailed(tx, film));
      publishChange(deps, 'config');
    }
  }
}
