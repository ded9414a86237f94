import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { type Notification, notificationSchema } from '../../../contract/notifications.ts';
import type { ChannelName } from '../../../domain/channels.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { isDue, isPending, PRIORITY } from './notifications.repo.ts';
import { LEASE } from './pace.ts';

/** The most payloads that are looked at to tell what happened in a heap of failures. */
const SAMPLE = 500;

/** The first message that may leave by itself now: answers before the rest, old before new. */
export async function nextSingle(
  tx: Db,
  channel: ChannelName,
  since: Date,
  now: Date,
): Promise<string | null> {
  const row = await isPending(tx, channel, since)
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
export async function failuresDue(tx: Db, channel: ChannelName, since: Date, now: Date): Promise<boolean> {
  const row = await isPending(tx, channel, since)
    .select('id')
    .where('priority', '>=', PRIORITY.failures)
    .where(isDue(now))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When the first of the waiting messages may be tried (again), in ms; null when none waits. */
export async function nextAttemptAt(
  db: Db,
  channel: ChannelName,
  since: Date,
  now: Date,
): Promise<number | null> {
  const due = await isPending(db, channel, since).select('id').where(isDue(now)).limit(1).executeTakeFirst();
  if (due) return now.getTime();
  const row = await isPending(db, channel, since)
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .executeTakeFirst();
  return row?.at ? Date.parse(row.at) : null;
}

/**
 * Until when a message of the channel belongs to who is sending it, in ms, be it that it has died; null where there is none. Whatever comes
 * after that message waits so long, or it would arrive before it.
 */
export async function claimedUntil(
  tx: Db,
  channel: ChannelName,
  since: Date,
  now: Date,
): Promise<number | null> {
  const row = await isPending(tx, channel, since)
    .select((eb) => eb.fn.max('next_attempt_at').as('until'))
    .where('claim', 'is not', null)
    .where('next_attempt_at', '>', now.toISOString())
    // A clock that has been set back since keeps nothing back for longer.
    .where('next_attempt_at', '<=', new Date(now.getTime() + LEASE).toISOString())
    .executeTakeFirst();
  return row?.until ? Date.parse(row.until) : null;
}

/**
 * Takes a channel's rows of a kind for a sending; a row that another had taken and never settled may have arrived already.
 * Returns false where there was none.
 */
async function take(
  tx: Db,
  channel: ChannelName,
  claim: string,
  until: Date,
  which: (eb: ExpressionBuilder<Tables, 'notifications'>) => Expression<SqlBool>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('notifications')
    .set((eb) => ({
      claim,
      next_attempt_at: until.toISOString(),
      attempts: eb('attempts', '+', 1),
      uncertain: eb.case().when('claim', 'is not', null).then(true).else(eb.ref('uncertain')).end(),
    }))
    .where('channel', '=', channel)
    .where(which)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns false where another channel has taken it over meanwhile. */
export async function claimSingle(
  tx: Db,
  channel: ChannelName,
  id: string,
  claim: string,
  until: Date,
): Promise<boolean> {
  return take(tx, channel, claim, until, (eb) => eb('id', '=', id));
}

/** Returns false where nothing was there to take. */
export async function claimFailures(
  tx: Db,
  channel: ChannelName,
  since: Date,
  now: Date,
  claim: string,
  until: Date,
): Promise<boolean> {
  return take(tx, channel, claim, until, (eb) =>
    eb.and([
      eb('sent_at', 'is', null),
      eb('created_at', '>', since.toISOString()),
      eb('priority', '>=', PRIORITY.failures),
      isDue(now)(eb),
    ]),
  );
}

/** What a claim holds. */
export type Claimed = {
  claim: string;
  /** The oldest of its rows. */
  oldest: string;
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
  const { id } = await tx
    .selectFrom('notifications')
    .select('id')
    .where('claim', '=', claim)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return {
    claim,
    oldest: id,
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

export type Requeue = { next: Date; error: string; uncertain?: boolean };

/** The claim's messages wait again, until `next`. `uncertain`: they may have arrived all the same. */
export async function requeue(tx: Db, claim: string, { next, error, uncertain }: Requeue): Promise<void> {
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
