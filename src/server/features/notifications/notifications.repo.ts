import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Insertable } from 'kysely';
import type { Notification } from '../../../contract/admin/notifications.ts';
import { CHANNELS, type ChannelName, channelsSetUp } from '../../../domain/channels.ts';
import { placeholdersFor, statement } from '../../db/statement.ts';
import type { Db, NotificationsTable, Tables } from '../../db/tables.ts';
import { LONGEST_WAIT } from './pace.ts';

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
  const { telegram_bot_token, smtp_password, ...settings } = row;
  const ready = channelsSetUp({
    ...settings,
    telegram_bot_token_masked: telegram_bot_token,
    smtp_password_kept: smtp_password !== null,
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

/** Selects pending messages. Answers wait until they are sent or cancelled; others expire if older than `since`. */
export const isPending = (db: Db, channel: ChannelName, since: Date) =>
  db
    .selectFrom('notifications')
    .where('channel', '=', channel)
    .where('sent_at', 'is', null)
    .where((eb) =>
      eb.or([eb('priority', '=', PRIORITY.answers), eb('created_at', '>', since.toISOString())]),
    );

/** Condition for messages that may be sent now. A time beyond the longest wait was stored before the clock was set back. */
export const isDue = (now: Date) => (eb: ExpressionBuilder<Tables, 'notifications'>) =>
  eb.or([
    eb('next_attempt_at', '<=', now.toISOString()),
    eb('next_attempt_at', '>', new Date(now.getTime() + LONGEST_WAIT).toISOString()),
  ]);

export async function pendingCount(db: Db, channel: ChannelName, since: Date): Promise<number> {
  const { count } = await isPending(db, channel, since)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the error and time of the next attempt among pending messages that failed, or null. */
export async function nextFailed(
  db: Db,
  channel: ChannelName,
  since: Date,
): Promise<{ error: string; at: string } | null> {
  const row = await isPending(db, channel, since)
    .select(['last_error', 'next_attempt_at as at'])
    .where('last_error', 'is not', null)
    .orderBy('next_attempt_at')
    .executeTakeFirst();
  return row ? { error: row.last_error ?? '', at: row.at } : null;
}

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
  const { numDeletedRows } = await tx
    .deleteFrom('notifications')
    .where('channel', '=', channel)
    .where('sent_at', 'is', null)
    .where('claim', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Cancels pending messages of a visit, for example because the visitor returned. Claimed ones are still sent. */
export async function cancelForVisit(tx: Db, session_id: string, type: Notification['type']): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('session_id', '=', session_id)
    .where('type', '=', type)
    .where('sent_at', 'is', null)
    .where('claim', 'is', null)
    .execute();
}

/** Deletes messages created before `before`, except unsent answers. */
export async function removeOld(tx: Db, before: Date): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('created_at', '<', before.toISOString())
    .where((eb) => eb.or([eb('sent_at', 'is not', null), eb('priority', '<>', PRIORITY.answers)]))
    .execute();
}
