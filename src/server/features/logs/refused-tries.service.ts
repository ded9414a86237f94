import type { Notification } from '../../../contract/notifications.ts';
import { italianDayOf } from '../../../domain/days.ts';
import { REFUSED_ENTRIES } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import { insertAccess, insertEvents } from '../../event-log/event-log.repo.ts';
import { enqueueNotification, PRIORITY } from '../notifications/notifications.repo.ts';
import { addDailyCounts, deleteOverLimit } from './refused-tries.repo.ts';

/** A try that was refused. `token_id` is null when the code doesn't exist, or wasn't looked at. */
export type RefusedEntry = {
  token_id: string | null;
  token_value: string;
  device_id: string;
  user_agent: string;
  error_message: string;
  reason: string;
  /** What is told of it. */
  notification: Notification;
};

/** After so many refused tries of this process their room is looked after: until then they may exceed it by as many. */
const LOOK_AFTER_EVERY = 50;
/** Rows of each table that one transaction removes: nobody waits long for it. */
const BATCH = 500;
let recorded = 0;

/** Every refused try is logged, shows among the events and is told (decision 1), as long as there is room: see `REFUSED_ENTRIES`. */
export async function recordRefusedEntry(tx: Db, refused: RefusedEntry, now: Date): Promise<void> {
  const { reason, notification, device_id, ...more } = refused;
  const what = { token_id: more.token_id, success: false, error_message: more.error_message };
  const token_value = more.token_value.slice(0, REFUSED_ENTRIES.typedSigns);
  const user_agent = more.user_agent.slice(0, REFUSED_ENTRIES.userAgentSigns);
  const event = { ...what, event_type: 'access_denied' as const, token_value, device_id, user_agent };
  const guess = more.token_id === null;
  await Promise.all([
    insertAccess(tx, { ...what, token_value }, now),
    insertEvents(tx, [{ ...event, metadata: { reason } }], now),
    enqueueNotification(tx, notification, now, guess ? { priority: PRIORITY.guesses } : {}),
  ]);
  recorded += 1;
  if (recorded % LOOK_AFTER_EVERY === 0) await trimRefusedEntries(tx);
}

/** Removes some of the refused tries that have no room, and counts them by the day. Returns how many tries. */
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

/** Counts tries of today that are written nowhere else. */
export async function countUnloggedEntries(tx: Db, tentativi: number, now: Date): Promise<void> {
  if (tentativi > 0) await addDailyCounts(tx, new Map([[italianDayOf(now), tentativi]]));
}
