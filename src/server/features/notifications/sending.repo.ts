import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { type Notification, notificationSchema } from '../../../contract/admin/notifications.ts';
import type { ChannelName } from '../../../domain/channels.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { isDue, isPending, PRIORITY } from './notifications.repo.ts';
import { LEASE } from './pace.ts';

/** Maximum payloads read to summarize collected failures. */
const SAMPLE = 500;

/** Returns the next due message that is sent on its own: answers first, then by age. */
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

/** Returns true if a collected failure is due. */
export async function failuresDue(tx: Db, channel: ChannelName, since: Date, now: Date): Promise<boolean> {
  const row = await isPending(tx, channel, since)
    .select('id')
    .where('priority', '>=', PRIORITY.failures)
    .where(isDue(now))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the time of the first pending attempt in ms; null if none is pending. */
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
 * Returns the end of the lease of the channel's message in progress, in ms, also if its sender died; null if there is
 * none. Later messages wait for it, to stay in order.
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
    // Ignores leases stored before the clock was set back.
    .where('next_attempt_at', '<=', new Date(now.getTime() + LEASE).toISOString())
    .executeTakeFirst();
  return row?.until ? Date.parse(row.until) : null;
}

/**
 * Claims the channel's rows that match `which`. A row with an unfinished earlier claim may have arrived, so it becomes
 * uncertain. Returns false if no row matches.
 */
async function claimMatching(
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

/** Claims one message. Returns false if another channel took it over. */
export async function claimSingle(
  tx: Db,
  channel: ChannelName,
  id: string,
  claim: string,
  until: Date,
): Promise<boolean> {
  return claimMatching(tx, channel, claim, until, (eb) => eb('id', '=', id));
}

/** Claims all due failures. Returns false if there are none. */
export async function claimFailures(
  tx: Db,
  channel: ChannelName,
  since: Date,
  now: Date,
  claim: string,
  until: Date,
): Promise<boolean> {
  return claimMatching(tx, channel, claim, until, (eb) =>
    eb.and([
      eb('sent_at', 'is', null),
      eb('created_at', '>', since.toISOString()),
      eb('priority', '>=', PRIORITY.failures),
      isDue(now)(eb),
    ]),
  );
}

/** A claimed message, possibly collected from several rows. */
export type Claimed = {
  claim: string;
  /** Id of the oldest row. */
  oldest: string;
  /** Number of rows; `notifications` holds only the newest of them. */
  count: number;
  notifications: Notification[];
  /** True for collected failed entries. */
  failures: boolean;
  /** Time of the oldest row. */
  since: string;
  /** Highest number of attempts, including this one. */
  attempts: number;
  /** True if an earlier attempt may have arrived. */
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

/** Skips a damaged row, so that it does not block the others. */
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

/** Releases the claim; its messages wait until `next`. `uncertain`: they may have arrived. */
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
