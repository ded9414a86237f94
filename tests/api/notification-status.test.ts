import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig, saveConfig } from '../../src/server/features/config/config.service.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
import { deliverNext } from '../../src/server/features/notifications/notifications.service.ts';
import {
  notificationsStatus,
  takeBackNotifications,
  testNotifications,
} from '../../src/server/features/notifications/settings.service.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { answers, refused } from '../support/notifier.ts';
import { useServer } from '../support/suites.ts';
import { BOT_TOKEN, CHAT_ID, type TelegramServer, telegramServer } from '../support/telegram.ts';

/** What the administrator is told of Telegram's queue. */

const HOUR = 3_600_000;
const NO_CHAT = { kind: 'status', status: 400, description: 'Bad Request: chat not found' } as const;
const EMPTY = { in_attesa: 0, ultimo_errore: null, ultimo_invio: null };

const server = useServer(sqliteDatabase, { empty: true });
let telegram: TelegramServer;
beforeEach(async () => {
  telegram = await telegramServer();
  server.deps.env.TELEGRAM_API_ROOT = telegram.root;
});
afterEach(() => telegram.close());

const status = async () => (await notificationsStatus(server.deps, server.actor)).telegram;
const tryOut = () => testNotifications(server.deps, server.actor, { canale: 'telegram' });
const deliver = () => deliverNext(server.deps, 'telegram');
const save = async (fields: Parameters<typeof saveConfig>[2]['fields']) => {
  const { versione } = await readConfig(server.deps, server.actor);
  const saved = await saveConfig(server.deps, server.actor, { versione, fields });
  if (isRefused(saved)) throw new Error(saved.refused);
};
const setUp = () => save({ telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID });
const enqueue = (message: Parameters<typeof enqueueNotification>[1]) =>
  server.deps.inTransaction((tx) => enqueueNotification(tx, message, server.deps.now()));
const later = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString();

test('the test tells the service’s own answer, once there are a token and a chat', async () => {
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

test('the bot token is never in what is told, however the service echoes it', async () => {
  const half = BOT_TOKEN.slice(BOT_TOKEN.indexOf(':') + 1);
  await setUp();
  for (const description of [
    `Not Found: /bot${BOT_TOKEN}/sendMessage`,
    `Not Found: /bot${encodeURIComponent(BOT_TOKEN)}/sendMessage`,
    `no bot with ${half}`,
    // Cut in the middle of it.
    `${'x'.repeat(280)}${BOT_TOKEN}`,
  ]) {
    telegram.fail({ kind: 'status', status: 401, description });
    await enqueue(answers('ROMLEI'));
    await deliver();
    const config = await readConfig(server.deps, server.actor);
    const told = JSON.stringify([await tryOut(), await status(), config]);
    expect(told).toContain('401 ');
    for (let from = 0; from + 8 <= half.length - 4; from += 1)
      expect(told).not.toContain(half.slice(from, from + 8));
  }
});

test('the status tells what waits, why and until when, and what was sent', async () => {
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

test('while the service is down the next try is the one that all wait for', async () => {
  await setUp();
  telegram.fail({ kind: 'html' });
  await enqueue(answers('ROMLEI'));
  await deliver();
  const messaggio = 'La risposta di Telegram non è leggibile';
  const ultimo_errore = { messaggio, prossimo_tentativo: later(5_000) };
  expect(await status()).toMatchObject({ ultimo_errore });
  await enqueue(refused('ROMALTRO'));
  server.clock.advance(49 * HOUR);
  expect(await status()).toMatchObject({ in_attesa: 1, ultimo_invio: null });
});

test('what waits is taken back by hand, answers too', async () => {
  await enqueue(answers('ROMLEI'));
  await enqueue(refused('ROMALTRO'));
  server.clock.advance(49 * HOUR);
  expect(await status()).toMatchObject({ in_attesa: 1 });
  const taken = await takeBackNotifications(server.deps, server.actor, { canale: 'telegram' });
  expect([taken, await status()]).toEqual([{ tolti: 2 }, EMPTY]);
  await setUp();
  await deliver();
  expect(telegram.requests).toBe(0);
});

test('a changed bot or chat hurries what was held back; another setting does not', async () => {
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
