import type { Notification } from '../../../contract/admin/notifications.ts';
import { italianDayOf } from '../../../domain/days.ts';
import { DAY_MS, HOUR_MS, REFUSED_ENTRIES, REFUSED_ENTRY_RETENTION_DAYS } from '../../../domain/limits.ts';
import { deleteExpiredSessions } from '../../auth/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import {
  deleteFailedEntries,
  forgetCounts,
  insertAccess,
  insertEvents,
} from '../../event-log/events.repo.ts';
import { publishChange } from '../../live/bus.ts';
import { startInterval } from '../../work/timers.ts';
import { findSiteSettings } from '../config/config.ts';
import { enqueueNotification, PRIORITY } from '../notifications/notifications.repo.ts';
import { addDailyCounts, deleteOverLimit } from './refused-tries.repo.ts';

/** A refused attempt. `token_id` is null if the code does not exist or was not looked up. */
export type RefusedEntry = {
  token_id: string | null;
  token_value: string;
  device_id: string;
  user_agent: string;
  error_message: string;
  reason: string;
  /** Notification to send about it. */
  notification: Notification;
};

/** Refused attempts of this process between two trims. The tables may exceed their limit by that number. */
const TRIM_INTERVAL = 50;
/** Rows of each table per transaction, so that others wait briefly. */
const BATCH = 500;
let recorded = 0;

/** Logs and notifies a refused attempt within the space of `REFUSED_ENTRIES` (decision 016). */
export async function recordRefusedEntry(tx: Db, refused: RefusedEntry, now: Date): Promise<void> {
  const { reason, notification, device_id, token_id, error_message } = refused;
  const token_value = refused.token_value.slice(0, REFUSED_ENTRIES.typedChars);
  const user_agent = refused.user_agent.slice(0, REFUSED_ENTRIES.userAgentChars);
  const what = { token_id, token_value, success: false, error_message };
  const event = { ...what, event_type: 'access_denied' as const, device_id, user_agent };
  await Promise.all([
    insertAccess(tx, what, now),
    insertEvents(tx, [{ ...event, metadata: { reason } }], now),
    enqueueNotification(tx, notification, now, token_id === null ? { priority: PRIORITY.guesses } : {}),
  ]);
  recorded += 1;
  if (recorded % TRIM_INTERVAL === 0) await trimRefusedEntries(tx);
}

/** Removes some attempts beyond the limit and adds them to the daily counts. Returns the number of attempts. */
async function trimRefusedEntries(tx: Db): Promise<number> {
  const removed = await deleteOverLimit(tx, BATCH);
  const days = new Map<string, number>();
  for (const moment of removed) {
    const day = italianDayOf(new Date(moment));
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  await addDailyCounts(tx, days);
  return removed.length;
}

/** Counts unlogged attempts of today. */
export async function countUnloggedEntries(tx: Db, tentativi: number, now: Date): Promise<void> {
  if (tentativi > 0) await addDailyCounts(tx, new Map([[italianDayOf(now), tentativi]]));
}

/**
 * Deletes failed entries and access events of the administrator older than the configured days. Other events stay,
 * because «Accessi Totali» counts them. Returns the number of rows.
 */
export async function forgetFailedEntries(deps: Deps, signal?: AbortSignal): Promise<number> {
  const days = (await findSiteSettings(deps.db))?.tries_kept_days ?? REFUSED_ENTRY_RETENTION_DAYS.default;
  const before = new Date(deps.now().getTime() - days * DAY_MS);
  await deps.inTransaction((tx) => forgetCounts(tx, italianDayOf(before)));
  return inBatches(deps, signal, (tx) => deleteFailedEntries(tx, before, BATCH));
}

/** Adds unlogged attempts, and those beyond the limit, to the daily counts. Returns the number of deleted attempts. */
export async function countRefusedTries(deps: Deps, signal?: AbortSignal): Promise<number> {
  const unlogged = deps.rateLimiter.takeUnlogged();
  await deps.inTransaction((tx) => countUnloggedEntries(tx, unlogged, deps.now()));
  return inBatches(deps, signal, trimRefusedEntries);
}

/** Repeats until a batch removes nothing or the signal aborts. */
async function inBatches(
  deps: Deps,
  signal: AbortSignal | undefined,
  batch: (tx: Db) => Promise<number>,
): Promise<number> {
  let all = 0;
  for (let removed = 1; removed > 0 && signal?.aborted !== true; all += removed)
    removed = await deps.inTransaction(batch);
  if (all > 0) publishChange(deps, 'logs');
  return all;
}

/**
 * Runs both tasks and deletes expired admin sessions, at once and every hour. Returns a function that stops it, after a
 * batch in progress.
 */
export function startRetention(deps: Deps): () => Promise<void> {
  const stopping = new AbortController();
  const rounds = startInterval(
    HOUR_MS,
    async () => {
      await forgetFailedEntries(deps, stopping.signal);
      await countRefusedTries(deps, stopping.signal);
      await deleteExpiredSessions(deps);
    },
    (error) => deps.log.error({ err: error }, 'old entries could not be removed'),
  );
  rounds.now();
  return async () => {
    stopping.abort();
    await rounds.stop();
    // Stores the attempts counted only in memory before the process ends.
    await countRefusedTries(deps, stopping.signal).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'refused tries could not be counted'),
    );
  };
}
