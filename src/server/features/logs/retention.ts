import { italianDayOf } from '../../../domain/days.ts';
import { REFUSED_ENTRY_RETENTION_DAYS } from '../../../domain/limits.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import { deleteExpiredSessions } from '../../auth/sessions.ts';
import type { Deps } from '../../deps.ts';
import { deleteFailedEntries, forgetCounts } from '../../event-log/retention.repo.ts';
import { publishChange } from '../../live/announce.ts';
import { startInterval } from '../../work/every.ts';
import { findSiteSettings } from '../config/config.repo.ts';
import { countUnloggedEntries, trimRefusedEntries } from './refused-tries.service.ts';

type RetentionDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'rateLimiter' | 'live' | 'log'>;

const EVERY_MS = HOUR_MS;
/** Rows of each log that one transaction removes: nobody waits long for it. */
const BATCH = 500;

/**
 * Forgets the entries that failed, and what happened to the administrator's access, longer ago than is chosen. All other events stay: «Accessi Totali»
 * counts them. Returns how many rows.
 */
export async function forgetFailedEntries(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const days = (await findSiteSettings(deps.db))?.tries_kept_days ?? REFUSED_ENTRY_RETENTION_DAYS.default;
  const before = new Date(deps.now().getTime() - days * DAY_MS);
  await deps.inTransaction((tx) => forgetCounts(tx, italianDayOf(before)));
  return inBatches(deps, signal, () => deps.inTransaction((tx) => deleteFailedEntries(tx, before, BATCH)));
}

/** Counts by the day what was refused and written nowhere, and what has no room any more. Returns how many tries lost their rows. */
export async function countRefusedTries(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const unmentioned = deps.rateLimiter.takeUnlogged();
  await deps.inTransaction((tx) => countUnloggedEntries(tx, unmentioned, deps.now()));
  return inBatches(deps, signal, () => deps.inTransaction(trimRefusedEntries));
}

/** Until a batch finds nothing more, or it is to stop. */
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

/** Does so, and removes the sign-ins that have run out, at once and every hour. Returns what stops it; the batch under way is waited for. */
export function startRetention(deps: RetentionDeps): () => Promise<void> {
  const stopping = new AbortController();
  const rounds = startInterval(
    EVERY_MS,
    async () => {
      await forgetFailedEntries(deps, stopping.signal);
      await countRefusedTries(deps, stopping.signal);
      await deleteExpiredSessions(deps);
    },
    (error) => deps.log.error({ err: error }, 'old entries could not be removed'),
  );
  rounds.now();
  // What is only counted here would be forgotten with the process.
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
