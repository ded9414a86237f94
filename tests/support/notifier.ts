import type { Updateable } from 'kysely';
import { pino } from 'pino';
import type { Notification } from '../../src/contract/admin/notifications.ts';
import type { ChannelName } from '../../src/domain/channels.ts';
import { encrypt } from '../../src/server/auth/secrets.ts';
import type { AdminConfigTable } from '../../src/server/db/tables.ts';
import { readEnv } from '../../src/server/env.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
import { deliverNext, type NotifierDeps } from '../../src/server/features/notifications/notifier.ts';
import type { TestDatabase } from './databases.ts';
import { BOT_TOKEN, CHAT_ID, type TelegramServer } from './telegram.ts';

export const SECRET = Buffer.alloc(32, 7);
/** Start time of these tests. */
const START = Date.parse('2027-02-14T19:00:00.000Z');

/** A node's notifier with a manual clock. */
export type Node = {
  deps: NotifierDeps;
  /** ms since the start. */
  time(): number;
  enqueue(...notifications: Notification[]): Promise<void>;
  /** Runs the notifier for `ms` of its clock; `pause` is its shortest rest between two steps. */
  work(ms: number, pause?: number, channel?: ChannelName): Promise<void>;
  /** Advances the clock without running the notifier. */
  pass(ms: number): void;
  logged(): string;
};

export function nodeOn(database: TestDatabase, telegram: TelegramServer): Node {
  const lines: string[] = [];
  let now = START;
  const deps: NotifierDeps = {
    env: readEnv({ ...database.env, TELEGRAM_API_ROOT: telegram.root }),
    db: database.db,
    inTransaction: database.inTransaction,
    secret: SECRET,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    now: () => new Date(now),
  };
  return {
    deps,
    time: () => now - START,
    pass: (ms) => (now += ms),
    logged: () => lines.join(''),
    enqueue: (...notifications) =>
      database.inTransaction(async (tx) => {
        for (const notification of notifications) await enqueueNotification(tx, notification, new Date(now));
      }),
    async work(ms, pause = 1, channel = 'telegram') {
      const end = now + ms;
      while (now < end) now = Math.min(end, now + Math.max(pause, (await deliverNext(deps, channel)) + 1));
    },
  };
}

/** Runs several nodes concurrently, for `ms` of all their clocks. */
export async function workTogether(
  nodes: readonly Node[],
  ms: number,
  channel: ChannelName = 'telegram',
): Promise<void> {
  for (let worked = 0; worked < ms; ) {
    const rests = await Promise.all(nodes.map(({ deps }) => deliverNext(deps, channel)));
    const step = Math.min(...rests, ms - worked - 1) + 1;
    for (const node of nodes) node.pass(step);
    worked += step;
  }
}

/** Saves the Telegram settings of the notifications page. */
export function configureBot(database: TestDatabase, token: string | null = BOT_TOKEN): Promise<void> {
  const telegram_bot_token = token === null ? null : encrypt(SECRET, token);
  return saveChannel(database, { telegram_bot_token, telegram_chat_id: CHAT_ID });
}

/** Saves settings of a channel. */
export async function saveChannel(
  { db }: TestDatabase,
  settings: Updateable<AdminConfigTable>,
): Promise<void> {
  const row = { ...settings, updated_at: new Date(START).toISOString() };
  await db
    .insertInto('admin_config')
    .values({ id: 1, ...row } as never)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export const answers = (token_value: string, viaggio: 1 | 2 = 1): Notification => ({
  type: 'checkbox_response',
  token_value,
  risposta_1: true,
  risposta_2: false,
  viaggio,
});
export const entered = (token_value: string): Notification => ({
  type: 'access',
  token_value,
  success: true,
  device_id: 'device-1-abc',
});
export const refused = (token_value: string, error_message = 'Token non valido'): Notification => ({
  type: 'access',
  token_value,
  success: false,
  error_message,
});
