import { FAILED_ENTRIES_KEPT_DAYS } from '../../../domain/limits.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../live/announce.ts';
import { deleteFailedEntries } from './retention.repo.ts';

type RetentionDeps = Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>;

const DAY_MS = 24 * 3_600_000;
const EVERY_MS = 3_600_000;
/** Rows of each log that one transaction removes: nobody waits long for it. */
const BATCH = 500;

/** Forgets the entries that failed more than 90 days ago: guesses must not fill the disk. All other events stay. Returns how many rows. */
export async function forgetFailedEntries(deps: RetentionDeps): Promise<number> {
  const before = new Date(deps.now().getTime() - FAILED_ENTRIES_KEPT_DAYS * DAY_MS);
  let forgotten = 0;
  let removed: number;
  do {
    removed = await deps.inTransaction((tx) => deleteFailedEntries(tx, before, BATCH));
    forgotten += removed;
  } while (removed > 0);
  if (forgotten > 0) announce(deps, 'logs');
  return forgotten;
}

/** Does so every hour. Returns what stops it; a round under way is waited for. */
export function startRetention(deps: RetentionDeps): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = forgetFailedEntries(deps).catch((error: unknown) => {
      deps.log.error({ err: error }, 'old failed entries could not be removed');
    });
  }, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
