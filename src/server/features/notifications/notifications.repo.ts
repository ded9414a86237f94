import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Insertable } from 'kysely';
import type { Notification } from '../../../contract/notifications.ts';
import { CHANNELS, type ChannelName, channelsSetUp } from '../../../domain/channels.ts';
import { placeholdersFor, statement } from '../../db/statement.ts';
import type { Db, NotificationsTable, Tables } from '../../db/tables.ts';
import { LONGEST_WAIT } from './pace.ts';

/** What leaves first. Failures, and guesses among them, wait for each other: many of them become one message. */
export const PRIORITY = { answers: 0, other: 1, failures: 2, guesses: 3 } as const;

/**
 * Puts a message in the queue, once for each channel that is set up. In the transaction of what it tells about, so that neither exists
 * without the other. Nobody waits for Telegram or a mail server here.
 * @param session_id whose visit it is about, where it may be withdrawn
 * @param after it leaves no earlier than so many ms from now
 * @param priority of `PRIORITY`, where the message itself doesn't say it
 * @param settings where messages go, if it was read in this transaction already
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

/** A message as it is when it is put in the queue. */
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

/** Where nothing is set up a message waits as Telegram's: whichever channel is set up first takes it (`adopt`). */
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

/** What she said is never lost. A refused code may be one guess of many; what fails in the page carries no code and is told each time. */
function priorityOf(notification: Notification): number {
  if (notification.type === 'checkbox_response' || notification.type === 'keepsake_reply')
    return PRIORITY.answers;
  const isEntry = notification.type === 'access' || notification.type === 'access_exceeded';
  const failedEntry = isEntry && !notification.success && notification.token_value !== undefined;
  return failedEntry ? PRIORITY.failures : PRIORITY.other;
}

export type ChannelSettings = NonNullable<Awaited<ReturnType<typeof readChannelSettings>>>;

/** Where messages go, as the administrator saved it; bot token and password are encrypted. */
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

/** The chat has another id now: a group that became a supergroup. Where another was chosen meanwhile, nothing happens. */
export async function moveChat(tx: Db, from: string, to: string): Promise<void> {
  await tx
    .updateTable('admin_config')
    .set({ telegram_chat_id: to })
    .where('telegram_chat_id', '=', from)
    .execute();
}

/** Answers wait until they are sent or taken back; of everything else nobody is told any more when it is older than `since`. */
export const isPending = (db: Db, channel: ChannelName, since: Date) =>
  db
    .selectFrom('notifications')
    .where('channel', '=', channel)
    .where('sent_at', 'is', null)
    .where((eb) =>
      eb.or([eb('priority', '=', PRIORITY.answers), eb('created_at', '>', since.toISOString())]),
    );

/** What may be tried now. An instant further ahead than any wait was noted by a clock that has been set back since. */
export const isDue = (now: Date) => (eb: ExpressionBuilder<Tables, 'notifications'>) =>
  eb.or([
    eb('next_attempt_at', '<=', now.toISOString()),
    eb('next_attempt_at', '>', new Date(now.getTime() + LONGEST_WAIT).toISOString()),
  ]);

/** How many messages wait. */
export async function pendingCount(db: Db, channel: ChannelName, since: Date): Promise<number> {
  const { count } = await isPending(db, channel, since)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Of the waiting messages whose last try failed, the one that is tried next: why it failed, and when. */
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

/** Everything of the channel that failed and isn't being sent may be tried at once. */
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

/** Takes back everything of the channel that waits and isn't being sent. Returns how many. */
export async function cancelPending(tx: Db, channel: ChannelName): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('notifications')
    .where('channel', '=', channel)
    .where('sent_at', 'is', null)
    .where('claim', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Takes back what was to be told of a visit: she has come back. What is being sent goes its way. */
export async function cancelForVisit(tx: Db, session_id: string, type: Notification['type']): Promise<void> {
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
