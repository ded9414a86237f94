import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, saveConfig } from '../../src/server/features/config/settings.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
import { deliverNext, sendTestMessage } from '../../src/server/features/notifications/notifier.ts';
import {
  cancelNotifications,
  notificationsStatus,
  searchChats,
} from '../../src/server/features/notifications/settings.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { MAIL_PASSWORD, type MailServer, mailboxAt, mailServer } from '../support/mail-server.ts';
import { answers, refused } from '../support/notifier.ts';
import { useServer } from '../support/suites.ts';
import {
  BOT_NAME,
  BOT_TOKEN,
  CHAT_ID,
  type Fault,
  giulia,
  joined,
  messageUpdate,
  type TelegramServer,
  telegramServer,
} from '../support/telegram.ts';

/** Settings of the notification page, and its test messages. */

type Fields = Parameters<typeof saveConfig>[1]['fields'];

const server = useServer(sqliteDatabase, { empty: true });
let telegram: TelegramServer;
beforeEach(async () => {
  telegram = await telegramServer();
  server.deps.env.TELEGRAM_API_ROOT = telegram.root;
});
afterEach(() => telegram.close());
const read = () => readConfig(server.ctx);
async function save(fields: Fields): Promise<void> {
  const saved = await saveConfig(server.ctx, { versione: (await read()).versione, fields });
  if (isRefused(saved)) throw new Error(saved.refused);
}
const enqueue = (message: Parameters<typeof enqueueNotification>[1]) =>
  server.deps.inTransaction((tx) => enqueueNotification(tx, message, server.deps.now()));

describe('mail server', () => {
  let mail: MailServer;
  let settings: Fields;
  beforeAll(async () => {
    mail = await mailServer('none');
    const { host, port, security, from, to } = mailboxAt(mail, 'none');
    const smtp = { smtp_host: host, smtp_port: port, smtp_security: security };
    settings = { ...smtp, email_from: from, email_to: to };
  });
  afterAll(() => mail.close());
  const tryOut = () => sendTestMessage(server.ctx, { canale: 'email' });

  test('is submission with STARTTLS before the first save, and can be tested once it is complete', async () => {
    const before = { smtp_host: null, smtp_port: 587, smtp_security: 'starttls', smtp_password_kept: false };
    expect(await read()).toMatchObject(before);
    expect(await tryOut()).toEqual({ refused: 'NOT_CONFIGURED' });
    await save({ ...settings, smtp_user: 'lui' });
    expect(await tryOut()).toEqual({ refused: 'NOT_CONFIGURED' });
    await save({ smtp_user: null });
    expect(await tryOut()).toMatchObject({ sent: true, answer: expect.stringMatching(/^250 /) });
    expect(mail.letters).toHaveLength(1);
  });

  test('has a password that is encrypted, never read back, and deleted with a change of the server', async () => {
    const hasPassword = async () => (await read()).smtp_password_kept;
    await save({ ...settings, smtp_user: 'lui', smtp_password: MAIL_PASSWORD });
    const rows = await server.deps.db.selectFrom('admin_config').selectAll().execute();
    expect(JSON.stringify([rows, await read()])).not.toContain(MAIL_PASSWORD);
    await save({ ...settings, smtp_user: 'lui' });
    expect(await hasPassword()).toBe(true);
    await save({ smtp_host: 'smtp.altrove.example' });
    expect(await hasPassword()).toBe(false);
    await save({ smtp_host: 'smtp.example', smtp_password: MAIL_PASSWORD });
    expect(await hasPassword()).toBe(true);
  });

  test('has a separate state from Telegram, and its waiting messages are cancelled separately', async () => {
    await save({ ...settings, telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID });
    await enqueue(answers('ROMLEI'));
    const waiting = async () => {
      const { telegram, email } = await notificationsStatus(server.ctx);
      return [telegram.in_attesa, email.in_attesa];
    };
    expect(await waiting()).toEqual([1, 1]);
    expect(await cancelNotifications(server.ctx, { canale: 'email' })).toEqual({ tolti: 1 });
    expect(await waiting()).toEqual([1, 0]);
  });
});

describe('search for the chats of a bot', () => {
  const GROUP = { id: -4_001, type: 'group', title: 'Noi due' };
  const SUPERGROUP = { id: -1_001_234_567_890, type: 'supergroup', title: 'Noi due', username: 'noidue' };
  const GIULIA = { id: '7000000001', tipo: 'private', nome: 'Giulia Bianchi', utente: 'giulia' };

  const look = () => searchChats(server.ctx);
  const found = async () => {
    const answer = await look();
    if (isRefused(answer)) throw new Error(answer.refused);
    return answer;
  };
  const ids = async () => (await found()).chat.map(({ id }) => id);
  const saveToken = () => save({ telegram_bot_token: BOT_TOKEN });

  test('requests nothing without a token, or with one of another secret', async () => {
    expect(await look()).toEqual({ refused: 'NOT_CONFIGURED' });
    await saveToken();
    await server.deps.db.updateTable('admin_config').set({ telegram_bot_token: 'di un altro' }).execute();
    expect(await look()).toEqual({ refused: 'NOT_CONFIGURED' });
    expect(telegram.requests).toBe(0);
  });

  test('finds those that wrote, groups and channels, the latest first, each once, and leaves them readable', async () => {
    await saveToken();
    expect(await look()).toEqual({ bot: BOT_NAME, chat: [], problema: null });
    const channel = { id: -1_009, type: 'channel', title: 'Diario' };
    const odd = [
      { update_id: 6, callback_query: { id: '1' } },
      { update_id: 8, message: { chat: { id: 9, type: 'secret' } } },
    ];
    telegram.updates.push(
      messageUpdate(1, giulia),
      joined(2, GROUP),
      { update_id: 3, channel_post: { message_id: 1, date: 0, chat: channel } },
      messageUpdate(4, { id: 8, type: 'private', first_name: '', username: 'senza_nome' }),
      messageUpdate(5, giulia, { text: 'eccomi' }),
      ...(odd as typeof telegram.updates),
    );
    const [first, second] = await Promise.all([found(), found()]);
    expect(first.chat).toEqual([
      GIULIA,
      { id: '8', tipo: 'private', nome: 'senza_nome', utente: 'senza_nome' },
      { id: '-1009', tipo: 'channel', nome: 'Diario', utente: null },
      { id: '-4001', tipo: 'group', nome: 'Noi due', utente: null },
    ]);
    expect(second).toEqual(first);
    telegram.updates.push(messageUpdate(10, { ...giulia, username: 'no/t a name' }));
    expect((await found()).chat[0]).toEqual({ ...GIULIA, utente: null });
  });

  test('excludes those that removed the bot, and lists a group that became a supergroup as that one', async () => {
    await saveToken();
    telegram.updates.push(messageUpdate(1, giulia), joined(2, giulia, 'kicked'), joined(3, GROUP));
    expect(await ids()).toEqual(['-4001']);
    telegram.updates.push(
      messageUpdate(4, GROUP, { migrate_to_chat_id: SUPERGROUP.id }),
      messageUpdate(5, SUPERGROUP),
    );
    expect((await found()).chat).toEqual([
      { id: '-1001234567890', tipo: 'group', nome: 'Noi due', utente: 'noidue' },
    ]);
    telegram.updates.push(joined(6, giulia));
    expect(await ids()).toEqual(['7000000001', '-1001234567890']);
  });

  test('finds the latest fifty, regardless of the length of their messages', async () => {
    await saveToken();
    const text = '\u{1F389}'.repeat(4_096);
    for (let number = 1; number <= 51; number += 1)
      telegram.updates.push(messageUpdate(number, { ...giulia, id: number }, { text }));
    const latest = await ids();
    expect([latest.length, latest[0]]).toEqual([50, '51']);
  });

  const status = (code: number, description: string): Fault => ({
    kind: 'status',
    status: code,
    description,
  });
  test.each<[string, Fault]>([
    ['TOKEN_REFUSED', status(401, `no bot at /bot${BOT_TOKEN}/getUpdates`)],
    [
      'WEBHOOK_SET',
      status(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook"),
    ],
    [
      'READ_ELSEWHERE',
      status(409, 'Conflict: terminated by other getUpdates request; make sure that only one'),
    ],
    ['SLOWED_DOWN', { kind: 'limited', retry_after: 5 }],
    ['UNREACHABLE', status(502, 'Bad Gateway')],
    ['UNREACHABLE', { kind: 'closed' }],
  ])('finds nothing because of %s: %o', async (problema, fault) => {
    await saveToken();
    telegram.updates.push(messageUpdate(1, giulia));
    telegram.fail(fault);
    // No part of the token is returned, even if Telegram echoes it.
    expect(await found()).toEqual({ bot: null, chat: [], problema });
    telegram.fail({ kind: 'none' });
    expect(await ids()).toEqual([GIULIA.id]);
  });
});

describe('queue of Telegram', () => {
  const NO_CHAT = { kind: 'status', status: 400, description: 'Bad Request: chat not found' } as const;
  const EMPTY = { in_attesa: 0, ultimo_errore: null, ultimo_invio: null };

  const status = async () => (await notificationsStatus(server.ctx)).telegram;
  const tryOut = () => sendTestMessage(server.ctx, { canale: 'telegram' });
  const deliver = () => deliverNext(server.deps, 'telegram');
  const setUp = () => save({ telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID });
  const later = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString();

  test('returns the service’s reply to a test once there are a token and a chat', async () => {
    expect(await tryOut()).toEqual({ refused: 'NOT_CONFIGURED' });
    await save({ telegram_bot_token: BOT_TOKEN });
    expect(await tryOut()).toEqual({ refused: 'NOT_CONFIGURED' });
    expect(telegram.requests).toBe(0);
    await setUp();
    expect(await tryOut()).toEqual({ sent: true, answer: 'ok, message_id 1' });
    expect(telegram.messages).toMatchObject([{ chat_id: CHAT_ID }]);
    telegram.fail(NO_CHAT);
    expect(await tryOut()).toEqual({ sent: false, answer: '400 Bad Request: chat not found' });
  });

  test('reports the waiting messages, the reason, the next attempt, and the last one sent', async () => {
    expect(await status()).toEqual(EMPTY);
    await setUp();
    await enqueue(answers('ROMLEI'));
    expect(await status()).toEqual({ ...EMPTY, in_attesa: 1 });
    await deliver();
    const ultimo_invio = later(0);
    expect(await status()).toEqual({ ...EMPTY, ultimo_invio });
    telegram.fail(NO_CHAT);
    server.clock.advance(1_000);
    await enqueue(answers('ROMLEI', 2));
    await enqueue(refused('ROMALTRO'));
    await deliver();
    const messaggio = '400 Bad Request: chat not found';
    const ultimo_errore = { messaggio, prossimo_tentativo: later(5_000) };
    expect(await status()).toEqual({ in_attesa: 2, ultimo_errore, ultimo_invio });
  });

  test('retries delayed messages at once after a change of bot or chat, not of another setting', async () => {
    await setUp();
    for (const change of [{ telegram_bot_token: BOT_TOKEN }, { telegram_chat_id: CHAT_ID }]) {
      telegram.fail(NO_CHAT);
      await enqueue(answers('ROMLEI'));
      await deliver();
      telegram.fail({ kind: 'none' });
      server.clock.advance(1_000);
      const sent = telegram.messages.length;
      await save({ contatto: '@lui' });
      await deliver();
      expect(telegram.messages).toHaveLength(sent);
      await save(change);
      await deliver();
      expect(telegram.messages).toHaveLength(sent + 1);
    }
  });
});
