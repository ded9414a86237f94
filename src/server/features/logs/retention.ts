import { italianDayOf } from '../../../domain/days.ts';
import { DAY_MS, HOUR_MS, REFUSED_ENTRY_RETENTION_DAYS } from '../../../domain/limits.ts';
import { deleteExpiredSessions } from '../../auth/sessions.ts';
import type { Deps } from '../../deps.ts';
import { deleteFailedEntries, forgetCounts } from '../../event-log/retention.repo.ts';
import { publishChange } from '../../live/bus.ts';
import { startInterval } from '../../work/every.ts';
import { findSiteSettings } from '../config/config.repo.ts';
import { countUnloggedEntries, trimRefusedEntries } from './refused-tries.ts';

type RetentionDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'rateLimiter' | 'live' | 'log'>;

const INTERVAL_MS = HOUR_MS;
/** Rows of each log per transaction, so that others wait briefly. */
const BATCH = 500;

/**
 * Deletes failed entries and access events of the administrator older than the configured days. Other events stay,
 * because «Accessi Totali» counts them. Returns the number of rows.
 */
export async function forgetFailedEntries(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const days = (await findSiteSettings(deps.db))?.tries_kept_days ?? REFUSED_ENTRY_RETENTION_DAYS.default;
  const before = new Date(deps.now().getTime() - days * DAY_MS);
  await deps.inTransaction((tx) => forgetCounts(tx, italianDayOf(before)));
  return inBatches(deps, signal, () => deps.inTransaction((tx) => deleteFailedEntries(tx, before, BATCH)));
}

/** Adds unlogged attempts, and those beyond the limit, to the daily counts. Returns the number of deleted attempts. */
export async function countRefusedTries(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const unlogged = deps.rateLimiter.takeUnlogged();
  await deps.inTransaction((tx) => countUnloggedEntries(tx, unlogged, deps.now()));
  return inBatches(deps, signal, () => deps.inTransaction(trimRefusedEntries));
}

/** Repeats until a batch removes nothing or the signal aborts. */
async function inBatches(
  deps: RetentionDeps,
  signal: AbortSignal | undefined,
  batch: () => Promise<number>,
): Promise<number> {
  let all = 0;
  for (let removed = 1; removed > 0 && signal?.aborted !== true; all += removed) removed = await batch();
  if (all > 0) publishChange(deps, 'logs');
  return all;
}

/**
 * Runs both tasks and deletes expired admin sessions, at once and every hour. Returns a function that stops it, after a
 * batch in progress.
 */
export function startRetention(deps: RetentionDeps): () => Promise<void> {
  const stopping = new AbortController();
  const rounds = startInterval(
    INTERVAL_MS,
    async () => {
      await forgetFailedEntries(deps, stopping.signal);
      await countRefusedTries(deps, stopping.signal);
      await deleteExpiredSessions(deps);
    },
    (error) => deps.log.error({ err: error }, 'old entries could not be removed'),
  );
  rounds.now();
  // Stores the attempts counted only in memory before the process ends.
  const lastRound = () =>
    countRefusedTries(deps, stopping.signal).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'refused tries could not be counted'),
    );
  return async () => {
    stopping.abort();
    await rounds.stop();
    await lastRound();
  };
}
