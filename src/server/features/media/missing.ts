import type { LiveTopic } from '../../../contract/admin/dashboard.ts';
import { MINUTE_MS } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { onChange, publishChange } from '../../live/bus.ts';
import { Preempted } from '../../media-worker/worker.ts';
import { startInterval } from '../../work/timers.ts';

/** What is derived from stored files in the background, also from files that are older than this. */
export type Derived<T> = {
  /** Lists the files without it, the most urgent first. */
  list(db: Db): Promise<T[]>;
  /** Makes and stores it. Rejects if it is aborted or preempted, or by an error of the machine; then nothing is stored. */
  make(deps: Deps, file: T, signal: AbortSignal): Promise<void>;
  /** Returns false to end the search before the next file. */
  isReady?(deps: Deps): Promise<boolean>;
  /** Called after the last attempt. */
  giveUp?(deps: Deps, file: T): Promise<void>;
  /** Field of the log for the file's id, and the sentences for an error of the machine and of the search. */
  log: { field: string; failed: string; searchFailed: string };
  /** Also searched for after changes of this topic. */
  topic?: LiveTopic;
};

/** Interval between searches in ms; one also begins whenever no upload is processed any more. */
const POLL_MS = MINUTE_MS;
/** Maximum attempts per file after errors of the machine, until a restart. */
const MAX_ATTEMPTS = 5;

/** Makes what is missing, one at a time, while no upload is processed. Returns a function that stops it. */
export function startMaking<T extends { id: string; url?: string }>(
  deps: Deps,
  derived: Derived<T>,
): () => Promise<void> {
  const failures = new Map<string, number>();
  return startInterval(
    POLL_MS,
    (signal) => makeMissing(deps, derived, signal, failures),
    (error) => deps.log.error({ err: error }, derived.log.searchFailed),
    (now) => {
      const ends = [deps.uploads.jobs.onIdle(now), onChange(deps, derived.topic ? [derived.topic] : [], now)];
      return () => ends.forEach((end) => end());
    },
  ).stop;
}

/** Makes what is missing until other work is pending. `failures`: number of errors of the machine per file. */
export async function makeMissing<T extends { id: string; url?: string }>(
  deps: Deps,
  { list, isReady, make, giveUp, log }: Derived<T>,
  signal: AbortSignal,
  failures = new Map<string, number>(),
): Promise<void> {
  for (const file of await list(deps.db)) {
    const key = file.url ?? file.id;
    const attempts = (failures.get(key) ?? 0) + 1;
    if (attempts > MAX_ATTEMPTS) continue;
    if (signal.aborted || deps.uploads.jobs.isBusy() || (await isReady?.(deps)) === false) return;
    try {
      await make(deps, file, signal);
      publishChange(deps, 'config');
    } catch (error) {
      if (signal.aborted || error instanceof Preempted) return;
      failures.set(key, attempts);
      deps.log.warn({ err: error, [log.field]: file.id }, log.failed);
      if (attempts === MAX_ATTEMPTS) await giveUp?.(deps, file);
    }
  }
}
