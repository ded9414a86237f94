import { randomUUID } from 'node:crypto';
import type { DeleteResult, ExpressionBuilder, Insertable, Updateable } from 'kysely';
import { type Notification, notificationSchema } from '../../../contract/admin/notifications.ts';
import { CHANNELS, type ChannelName, channelsSetUp } from '../../../domain/channels.ts';
import type { MessageGroup } from '../../../texts/notifications.ts';
import { placeholdersFor, statement } from '../../db/statement.ts';
import type { Db, NotificationsTable, Tables } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { GIVE_UP_AFTER, LEASE, LONGEST_WAIT } from './pace.ts';

/** Order of sending. Failures, including guesses, are collected into one message. */
export const PRIORITY = { answers: 0, other: 1, failures: 2, guesses: 3 } as const;

/**
 * Queues a message once per configured channel, in the transaction of its cause: both are stored or neither. Contacts
 * no service.
 * @param session_id visit of the message, if it can be cancelled
 * @param after earliest sending, in ms from now
 * @param priority of `PRIORITY`; derived from the notification by default
 * @param settings channel settings, if they were read in this transaction
 */
export async function enqueueNotification(
  tx: Db,
  notification: Notification,
  now: Date,
  {
    session_id = null,
    after = 0,
    priority = priorityOf(notification),
    settings,
  }: { session_id?: string | null; after?: number; priority?: number; settings?: ChannelSettings } = {},
): Promise<void> {
  const row = {
    notice: randomUUID(),
    type: notification.type,
    priority,
    payload: JSON.stringify(notification),
    next_attempt_at: new Date(now.getTime() + after).toISOString(),
    created_at: now.toISOString(),
    attempts: 0,
    uncertain: false,
    session_id,
  };
  const channels = channelsOf(settings ?? (await readChannelSettings(tx)));
  await Promise.all(channels.map((channel) => oneMessage(tx, { ...row, id: randomUUID(), channel })));
}

/** A message when it is queued. */
type Queued = Omit<Insertable<NotificationsTable>, 'claim' | 'sent_at' | 'last_error'>;

const oneMessage = statement<Queued>()((tx, value) =>
  tx
    .insertInto('notifications')
    .values(
      placeholdersFor(value, [
        'id',
        'channel',
        'notice',
        'type',
        'priority',
        'payload',
        'next_attempt_at',
        'created_at',
        'attempts',
        'uncertain',
        'session_id',
      ]),
    ),
);

/** Without a configured channel, messages wait as Telegram's; the first configured channel takes them over (`takeOverMessages`). */
function channelsOf(row: ChannelSettings | undefined): ChannelName[] {
  if (row === undefined) return ['telegram'];
  const ready = channelsSetUp({
    ...row,
    telegram_bot_token_masked: row.telegram_bot_token,
    smtp_password_kept: row.smtp_password !== null,
  });
  const channels = CHANNELS.filter((channel) => ready[channel]);
  return channels.length > 0 ? channels : ['telegram'];
}

/**
 * Answers of the visitor are never dropped. A denied code may be one of many guesses; an error of the page has no code
 * and is sent on its own.
 */
function priorityOf(notification: Notification): number {
  if (notification.type === 'checkbox_response' || notification.type === 'keepsake_reply')
    return PRIORITY.answers;
  const isEntry = notification.type === 'access' || notification.type === 'access_exceeded';
  const failedEntry = isEntry && !notification.success && notification.token_value !== undefined;
  return failedEntry ? PRIORITY.failures : PRIORITY.other;
}

export type ChannelSettings = NonNullable<Awaited<ReturnType<typeof readChannelSettings>>>;

/** Returns the channel settings; bot token and password are encrypted. */
export async function readChannelSettings(db: Db) {
  return (await channelSettings(db, {}))[0];
}

const channelSettings = statement()((db) =>
  db
    .selectFrom('admin_config')
    .select([
      'telegram_bot_token',
      'telegram_chat_id',
      'smtp_host',
      'smtp_port',
      'smtp_security',
      'smtp_user',
      'smtp_password',
      'email_from',
      'email_to',
    ])
    .where('id', '=', 1),
);

/** Updates the id of a chat that became a supergroup; does nothing if another chat was configured in the meantime. */
export async function moveChat(tx: Db, from: string, to: string): Promise<void> {
  await tx
    .updateTable('admin_config')
    .set({ telegram_chat_id: to })
    .where('telegram_chat_id', '=', from)
    .execute();
}

/** Selects pending messages. Answers wait until they are sent or cancelled; others expire. */
export function isPending(db: Db, channel: ChannelName, now: Date) {
  const since = new Date(now.getTime() - GIVE_UP_AFTER).toISOString();
  return db
    .selectFrom('notifications')
    .where('channel', '=', channel)
    .where('sent_at', 'is', null)
    .where((eb) => eb.or([eb('priority', '=', PRIORITY.answers), eb('created_at', '>', since)]));
}

type Condition = ExpressionBuilder<Tables, 'notifications'>;

/** Condition for messages that may be sent now. A time beyond the longest wait was stored before the clock was set back. */
export const isDue = (now: Date) => (eb: Condition) =>
  eb.or([
    eb('next_attempt_at', '<=', now.toISOString()),
    eb('next_attempt_at', '>', new Date(now.getTime() + LONGEST_WAIT).toISOString()),
  ]);

export async function pendingCount(db: Db, channel: ChannelName, now: Date): Promise<number> {
  const { count } = await isPending(db, channel, now)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the error and time of the next attempt among pending messages that failed. */
export const nextFailed = (db: Db, channel: ChannelName, now: Date) =>
  isPending(db, channel, now)
    .select(['last_error as error', 'next_attempt_at as at'])
    .where('last_error', 'is not', null)
    .$narrowType<{ error: string }>()
    .orderBy('next_attempt_at')
    .executeTakeFirst();

export async function lastSentAt(db: Db, channel: ChannelName): Promise<string | null> {
  const { at } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.max('sent_at').as('at'))
    .where('channel', '=', channel)
    .executeTakeFirstOrThrow();
  return at;
}

/** Makes all failed, unclaimed messages of the channel due now. */
export async function makeAllDue(tx: Db, channel: ChannelName, now: Date): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ next_attempt_at: now.toISOString() })
    .where('channel', '=', channel)
    .where('sent_at', 'is', null)
    .where('claim', 'is', null)
    .where('attempts', '>', 0)
    .execute();
}

/** Deletes all pending, unclaimed messages of the channel. Returns their number. */
export async function cancelPending(tx: Db, channel: ChannelName): Promise<number> {
  return Number((await cancel(tx, { channel })).numDeletedRows);
}

/** Cancels pending messages of a visit, for example because the visitor returned. Claimed ones are still sent. */
export async function cancelForVisit(tx: Db, session_id: string, type: Notification['type']): Promise<void> {
  await cancel(tx, { session_id, type });
}

const cancel = (
  tx: Db,
  which: { channel: ChannelName } | { session_id: string; type: string },
): Promise<DeleteResult> =>
  tx
    .deleteFrom('notifications')
    .where((eb) => eb.and(which))
    .where('sent_at', 'is', null)
    .where('claim', 'is', null)
    .executeTakeFirst();

/** Deletes messages created before `before`, except unsent answers. */
export async function removeOld(tx: Db, before: Date): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('created_at', '<', before.toISOString())
    .where((eb) => eb.or([eb('sent_at', 'is not', null), eb('priority', '<>', PRIORITY.answers)]))
    .execute();
}

/**
 * Moves pending, unclaimed messages of channels that can't send (`lost`) to `channel`, unless it has its own row of that
 * notice. Those that had failed become due at once. Most looks find none, so they write nothing.
 */
export async function takeOverMessages(
  { db, inTransaction }: Pick<Deps, 'db' | 'inTransaction'>,
  channel: ChannelName,
  lost: readonly ChannelName[],
  now: Date,
): Promise<void> {
  if (lost.length === 0) return;
  const isStranded = (eb: Condition) =>
    eb.and([
      eb('notifications.sent_at', 'is', null),
      eb('notifications.channel', 'in', [...lost]),
      eb.or([
        eb('notifications.claim', 'is', null),
        eb('notifications.next_attempt_at', '<=', now.toISOString()),
      ]),
      eb.not(
        eb.exists(
          eb
            .selectFrom('notifications as own')
            .select('own.id')
            .where('own.channel', '=', channel)
            .whereRef('own.notice', '=', 'notifications.notice'),
        ),
      ),
    ]);
  const stranded = db.selectFrom('notifications').select('notifications.id').where(isStranded).limit(1);
  if ((await stranded.executeTakeFirst()) === undefined) return;
  await inTransaction((tx) =>
    tx
      .updateTable('notifications')
      .set((eb) => ({
        channel,
        last_error: null,
        attempts: 0,
        next_attempt_at: eb
          .case()
          .when('attempts', '>', 0)
          .then(now.toISOString())
          .else(eb.ref('next_attempt_at'))
          .end(),
      }))
      .where(isStranded)
      .execute(),
  );
}

/** Returns the time of the first pending attempt in ms; null if none is pending. */
export async function nextAttemptAt(db: Db, channel: ChannelName, now: Date): Promise<number | null> {
  const pending = isPending(db, channel, now);
  if (await pending.select('id').where(isDue(now)).limit(1).executeTakeFirst()) return now.getTime();
  const row = await pending.select((eb) => eb.fn.min('next_attempt_at').as('at')).executeTakeFirst();
  return row?.at ? Date.parse(row.at) : null;
}

/**
 * Returns the end of the lease of the channel's message in progress, in ms, also if its sender died; null if there is
 * none. Later messages wait for it, to stay in order.
 */
export async function claimedUntil(tx: Db, channel: ChannelName, now: Date): Promise<number | null> {
  const row = await isPending(tx, channel, now)
    .select((eb) => eb.fn.max('next_attempt_at').as('until'))
    .where('claim', 'is not', null)
    .where('next_attempt_at', '>', now.toISOString())
    // Ignores leases stored before the clock was set back.
    .where('next_attempt_at', '<=', new Date(now.getTime() + LEASE).toISOString())
    .executeTakeFirst();
  return row?.until ? Date.parse(row.until) : null;
}

/** Selects the next due message that is sent on its own: answers first, then by age. */
export const nextSingle = (db: Db, channel: ChannelName, now: Date) =>
  isPending(db, channel, now)
    .select('id')
    .where('priority', '<', PRIORITY.failures)
    .where(isDue(now))
    .orderBy('priority')
    .orderBy('created_at')
    .limit(1);

/**
 * Claims the channel's next message: one that is sent on its own, or all due failures. A row with an unfinished earlier
 * claim may have arrived, so it becomes uncertain. Returns false if there is none.
 */
export async function claimMessage(
  tx: Db,
  channel: ChannelName,
  which: 'single' | 'failures',
  claim: string,
  now: Date,
): Promise<boolean> {
  const failures = isPending(tx, channel, now)
    .select('id')
    .where('priority', '>=', PRIORITY.failures)
    .where(isDue(now));
  const { numUpdatedRows } = await tx
    .updateTable('notifications')
    .set((eb) => ({
      claim,
      next_attempt_at: new Date(now.getTime() + LEASE).toISOString(),
      attempts: eb('attempts', '+', 1),
      uncertain: eb.case().when('claim', 'is not', null).then(true).else(eb.ref('uncertain')).end(),
    }))
    // Another channel may have taken the row over in the meantime.
    .where('channel', '=', channel)
    .where('id', 'in', which === 'single' ? nextSingle(tx, channel, now) : failures)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A claimed message, possibly collected from several rows; `notifications` holds only the newest of them. */
export type Claimed = MessageGroup & {
  claim: string;
  /** Equal for each attempt with the same rows. */
  id: string;
  /** True for collected failed entries. */
  failures: boolean;
  /** Highest number of attempts, including this one. */
  attempts: number;
};

/** Maximum payloads read to summarize collected failures. */
const SAMPLE = 500;

export async function readClaim(tx: Db, claim: string): Promise<Claimed> {
  const claimed = tx.selectFrom('notifications').where('claim', '=', claim);
  const totals = await claimed
    .select((eb) => [
      eb.fn.countAll().as('count'),
      eb.fn.min('id').as('first'),
      eb.fn.min('created_at').as('since'),
      eb.fn.max('attempts').as('attempts'),
      eb.fn.max('priority').as('priority'),
      eb.fn.max(eb.case().when('uncertain', '=', true).then(1).else(0).end()).as('uncertain'),
    ])
    .executeTakeFirstOrThrow();
  const rows = await claimed.select('payload').orderBy('created_at', 'desc').limit(SAMPLE).execute();
  return {
    claim,
    id: `${totals.first}.${totals.count}`,
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

/** Records the result of an attempt in the rows of its claim. */
export async function updateClaimed(
  tx: Db,
  claim: string,
  change: Updateable<NotificationsTable>,
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set(change)
    .where('claim', '=', claim)
    .where('sent_at', 'is', null)
    .execute();
}
