import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { type Notification, notificationSchema } from '../../../contract/notifications.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { LONGEST_WAIT } from './pace.ts';

/** What leaves first. Failures, and guesses among them, wait for each other: many of them become one message. */
export const PRIORITY = { answers: 0, other: 1, failures: 2, guesses: 3 } as const;

/** The most payloads that are looked at to tell what happened in a heap of failures. */
const SAMPLE = 500;

/**
 * Puts a message in the queue. In the transaction of what it tells about, so that neither exists without the other.
 * Nobody waits for Telegram here.
 * @param session_id whose visit it is about, where it may be withdrawn
 * @param after it leaves no earlier than so many ms from now
 * @param priority of `PRIORITY`, where the message itself doesn't say it
 */
export async function enqueueNotification(
  tx: Db,
  notification: Notification,
  now: Date,
  {
    session_id = null,
    after = 0,
    priority = priorityOf(notification),
  }: { session_id?: string | null; after?: number; priority?: number } = {},
): Promise<void> {
  await tx
    .insertInto('notifications')
    .values({
      id: randomUUID(),
      type: notification.type,
      priority,
      payload: JSON.stringify(notification),
      next_attempt_at: new Date(now.getTime() + after).toISOString(),
      created_at: now.toISOString(),
      attempts: 0,
      uncertain: false,
      session_id,
    })
    .execute();
}

/** A refused code may be one guess of many; what fails in the page carries no code and is told each time. */
function priorityOf(notification: Notification): number {
  if (notification.type === 'checkbox_response') return PRIORITY.answers;
  const isEntry = notification.type === 'access' || notification.type === 'access_exceeded';
  const failedEntry = isEntry && !notification.success && notification.token_value !== undefined;
  return failedEntry ? PRIORITY.failures : PRIORITY.other;
}

/** Bot token (encrypted) and chat, as the administrator saved them. */
export async function readBotSettings(db: Db) {
  return db
    .selectFrom('admin_config')
    .select(['telegram_bot_token', 'telegram_chat_id'])
    .where('id', '=', 1)
    .executeTakeFirst();
}

/** Answers wait until they are sent or taken back; of everything else nobody is told any more when it is older than `since`. */
const waiting = (db: Db, since: Date) =>
  db
    .selectFrom('notifications')
    .where('sent_at', 'is', null)
    .where((eb) =>
      eb.or([eb('priority', '=', PRIORITY.answers), eb('created_at', '>', since.toISOString())]),
    );

/** What may be tried now. An instant further ahead than any wait was noted by a clock that has been set back since. */
const isDue = (now: Date) => (eb: ExpressionBuilder<Tables, 'notifications'>) =>
  eb.or([
    eb('next_attempt_at', '<=', now.toISOString()),
    eb('next_attempt_at', '>', new Date(now.getTime() + LONGEST_WAIT).toISOString()),
  ]);

/** How many messages wait. */
export async function waitingCount(db: Db, since: Date): Promise<number> {
  const { count } = await waiting(db, since)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Of the waiting messages whose last try failed, the one that is tried next: why it failed, and when. */
export async function nextFailed(db: Db, since: Date): Promise<{ error: string; at: string } | null> {
  const row = await waiting(db, since)
    .select(['last_error', 'next_attempt_at as at'])
    .where('last_error', 'is not', null)
    .orderBy('next_attempt_at')
    .executeTakeFirst();
  return row ? { error: row.last_error ?? '', at: row.at } : null;
}

export async function lastSentAt(db: Db): Promise<string | null> {
  const { at } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.max('sent_at').as('at'))
    .executeTakeFirstOrThrow();
  return at;
}

/** The first message that may leave by itself now: answers before the rest, old before new. */
export async function nextSingle(tx: Db, since: Date, now: Date): Promise<string | null> {
  const row = await waiting(tx, since)
    .select('id')
    .where('priority', '<', PRIORITY.failures)
    .where(isDue(now))
    .orderBy('priority')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Does any failure wait to be told? */
export async function failuresDue(tx: Db, since: Date, now: Date): Promise<boolean> {
  const row = await waiting(tx, since)
    .select('id')
    .where('priority', '>=', PRIORITY.failures)
    .where(isDue(now))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When the first of the waiting messages may be tried (again), in ms; null when none waits. */
export async function nextAttemptAt(db: Db, since: Date, now: Date): Promise<number | null> {
  const due = await waiting(db, since).select('id').where(isDue(now)).limit(1).executeTakeFirst();
  if (due) return now.getTime();
  const row = await waiting(db, since)
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .executeTakeFirst();
  return row?.at ? Date.parse(row.at) : null;
}

/** What a sending does to the rows it takes. A row that another had taken and never settled may have arrived already. */
const taking = (claim: string, until: Date) => (eb: ExpressionBuilder<Tables, 'notifications'>) => ({
  claim,
  next_attempt_at: until.toISOString(),
  attempts: eb('attempts', '+', 1),
  uncertain: eb.case().when('claim', 'is not', null).then(true).else(eb.ref('uncertain')).end(),
});

export async function claimSingle(tx: Db, id: string, claim: string, until: Date): Promise<void> {
  await tx.updateTable('notifications').set(taking(claim, until)).where('id', '=', id).execute();
}

export async function claimFailures(
  tx: Db,
  since: Date,
  now: Date,
  claim: string,
  until: Date,
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set(taking(claim, until))
    .where('sent_at', 'is', null)
    .where('created_at', '>', since.toISOString())
    .where('priority', '>=', PRIORITY.failures)
    .where(isDue(now))
    .execute();
}

/** What a claim holds. */
export type Claimed = {
  claim: string;
  /** How many rows; `notifications` may be fewer, the newest of them. */
  count: number;
  notifications: Notification[];
  /** Are they failed entries? */
  failures: boolean;
  /** When the first of them happened. */
  since: string;
  /** How often it was tried before, at most. */
  attempts: number;
  /** Some of it may have arrived with an earlier try. */
  uncertain: boolean;
};

export async function readClaim(tx: Db, claim: string): Promise<Claimed> {
  const totals = await tx
    .selectFrom('notifications')
    .select((eb) => [
      eb.fn.countAll().as('count'),
      eb.fn.min('created_at').as('since'),
      eb.fn.max('attempts').as('attempts'),
      eb.fn.max('priority').as('priority'),
      eb.fn.max(eb.case().when('uncertain', '=', true).then(1).else(0).end()).as('uncertain'),
    ])
    .where('claim', '=', claim)
    .executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom('notifications')
    .select('payload')
    .where('claim', '=', claim)
    .orderBy('created_at', 'desc')
    .limit(SAMPLE)
    .execute();
  return {
    claim,
    count: Number(totals.count),
    since: String(totals.since),
    attempts: Number(totals.attempts),
    failures: Number(totals.priority) >= PRIORITY.failures,
    uncertain: Number(totals.uncertain) === 1,
    notifications: rows.flatMap(({ payload }) => readPayload(payload)),
  };
}

/** A damaged row is no reason to keep the others back. */
function readPayload(payload: string): Notification[] {
  try {
    return [notificationSchema.parse(JSON.parse(payload))];
  } catch {
    return [];
  }
}

export async function markSent(tx: Db, claim: string, now: Date): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ sent_at: now.toISOString(), last_error: null })
    .where('claim', '=', claim)
    .where('sent_at', 'is', null)
    .execute();
}

export type Setback = { next: Date; error: string; uncertain?: boolean };

/** The claim's messages wait again, until `next`. `uncertain`: they may have arrived all the same. */
export async function putBack(tx: Db, claim: string, { next, error, uncertain }: Setback): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({
      claim: null,
      next_attempt_at: next.toISOString(),
      last_error: error,
      ...(uncertain && { uncertain }),
    })
    .where('claim', '=', claim)
    .where('sent_at', 'is', null)
    .execute();
}

/** Everything that failed and isn't being sent may be tried at once. */
export async function hurryAll(tx: Db, now: Date): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ next_attempt_at: now.toISOString() })
    .where('sent_at', 'is', null)
    .where('claim', 'is', null)
    .where('attempts', '>', 0)
    .execute();
}

/** Takes back everything that waits and isn't being sent. Returns how many. */
export async function takeBack(tx: Db): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('notifications')
    .where('sent_at', 'is', null)
    .where('claim', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Takes back what was to be told of a visit: she has come back. What is being sent goes its way. */
export async function withdraw(tx: Db, session_id: string, type: Notification['type']): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('session_id', '=', session_id)
    .where('type', '=', type)
    .where('sent_at', 'is', null)
    .where('claim', 'is', null)
    .execute();
}

/** Removes what was sent or given up before `before`; answers that nobody was told of stay. */
export async function removeOld(tx: Db, before: Date): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('created_at', '<', before.toISOString())
    .where((eb) => eb.or([eb('sent_at', 'is not', null), eb('priority', '<>', PRIORITY.answers)]))
    .execute();
}
