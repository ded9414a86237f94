import type { Notification } from '../../../contract/admin/notifications.ts';
import { italianDayOf } from '../../../domain/days.ts';
import { REFUSED_ENTRIES } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import { insertAccess, insertEvents } from '../../event-log/event-log.repo.ts';
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
  const { reason, notification, device_id, ...rest } = refused;
  const what = { token_id: rest.token_id, success: false, error_message: rest.error_message };
  const token_value = rest.token_value.slice(0, REFUSED_ENTRIES.typedChars);
  const user_agent = rest.user_agent.slice(0, REFUSED_ENTRIES.userAgentChars);
  const event = { ...what, event_type: 'access_denied' as const, token_value, device_id, user_agent };
  const guess = rest.token_id === null;
  await Promise.all([
    insertAccess(tx, { ...what, token_value }, now),
    insertEvents(tx, [{ ...event, metadata: { reason } }], now),
    enqueueNotification(tx, notification, now, guess ? { priority: PRIORITY.guesses } : {}),
  ]);
  recorded += 1;
  if (recorded % TRIM_INTERVAL === 0) await trimRefusedEntries(tx);
}

/** Removes some attempts beyond the limit and adds them to the daily counts. Returns the number of attempts. */
export async function trimRefusedEntries(tx: Db): Promise<number> {
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
