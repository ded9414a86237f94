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
import { openTestServer, type TestServer } from '../support/deps.ts';
import { answers, refused } from '../support/notifier.ts';
import { BOT_TOKEN, CHAT_ID, type TelegramServer, telegramServer } from '../support/telegram.ts';

const SECRET_HALF = BOT_TOKEN.slice(BOT_TOKEN.indexOf(':') + 1);
const HOUR = 3_600_000;

let server: TestServer;
let telegram: TelegramServer;
beforeEach(async () => {
  [server, telegram] = [await openTestServer(sqliteDatabase), await telegramServer()];
  server.deps.env.TELEGRAM_API_ROOT = telegram.root;
});
afterEach(async () => {
  await telegram.close();
  await server.close();
});

const status = async () => (await notificationsStatus(server.deps, server.actor)).telegram;
const tryOut = () => testNotifications(server.deps, server.actor, { canale: 'telegram' });
const save = async (fields: Parameters<typeof saveConfig>[2]['fields']) => {
  const { versione } = await readConfig(server.deps, server.actor);
  const saved = await saveConfig(server.deps, server.actor, { versione, fields });
  if (isRefused(saved)) throw new Error(saved.refused);
};
const setUp = () => save({ telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID });
const enqueue = (message: Parameters<typeof enqueueNotification>[1]) =>
  server.deps.inTransaction((tx) => enqueueNotification(tx, message, server.deps.now()));

test('without a token or a chat nothing can be tried', async () => {
  expect(await tryOut()).toEqual({ refused: 'NOT_CONFIGURED' });
  await save({ telegram_bot_token: BOT_TOKEN });
  expect(await tryOut()).toEqual({ refused: 'NOT_CONFIGURED' });
  expect(telegram.requests).toBe(0);
});

test('the test tells the service’s own answer', async () => {
  await setUp();
  expect(await tryOut()).toEqual({ sent: true, answer: 'ok, message_id 1' });
  expect(telegram.messages).toMatchObject([{ chat_id: CHAT_ID }]);
  telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: chat not found' });
  expect(await tryOut()).toEqual({ sent: false, answer: '400 Bad Request: chat not found' });
});

test.each([
  ['the address', `Not Found: /bot${BOT_TOKEN}/sendMessage`],
  ['the address, encoded', `Not Found: /bot${encodeURIComponent(BOT_TOKEN)}/sendMessage`],
  ['its second half', `no bot with ${SECRET_HALF}`],
  ['a text that is cut in the middle of it', `${'x'.repeat(280)}${BOT_TOKEN}`],
])('the bot token is not in what is told when the service echoes %s', async (_what, description) => {
  await setUp();
  telegram.fail({ kind: 'status', status: 401, description });
  await enqueue(answers('ROMLEI'));
  await deliverNext(server.deps, 'telegram');
  const told = JSON.stringify([await tryOut(), await status(), await readConfig(server.deps, server.actor)]);
  expect(told).toContain('401 ');
  for (let from = 0; from + 8 <= SECRET_HALF.length - 4; from += 1)
    expect(told).not.toContain(SECRET_HALF.slice(from, from + 8));
});

test('the status of an empty queue', async () => {
  expect(await status()).toEqual({ in_attesa: 0, ultimo_errore: null, ultimo_invio: null });
});

test('the status tells what waits, why and until when, and what was sent', async () => {
  await setUp();
  await enqueue(answers('ROMLEI'));
  expect(await status()).toEqual({ in_attesa: 1, ultimo_errore: null, ultimo_invio: null });
  await deliverNext(server.deps, 'telegram');
  const sent = server.clock.now().toISOString();
  expect(await status()).toEqual({ in_attesa: 0, ultimo_errore: null, ultimo_invio: sent });
  telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: chat not found' });
  server.clock.advance(1_000);
  await enqueue(answers('ROMLEI', 2));
  await enqueue(refused('ROMALTRO'));
  await deliverNext(server.deps, 'telegram');
  expect(await status()).toEqual({
    in_attesa: 2,
    ultimo_errore: {
      messaggio: '400 Bad Request: chat not found',
      prossimo_tentativo: new Date(server.clock.now().getTime() + 5_000).toISOString(),
    },
    ultimo_invio: sent,
  });
});

test('while the service is down the next try is the one that all wait for', async () => {
  await setUp();
  telegram.fail({ kind: 'html' });
  await enqueue(answers('ROMLEI'));
  await deliverNext(server.deps, 'telegram');
  const { ultimo_errore } = await status();
  expect(ultimo_errore?.messaggio).toBe('La risposta di Telegram non è leggibile');
  expect(Date.parse(ultimo_errore?.prossimo_tentativo ?? '')).toBe(server.clock.now().getTime() + 5_000);
  await enqueue(refused('ROMALTRO'));
  server.clock.advance(49 * HOUR);
  expect(await status()).toMatchObject({ in_attesa: 1, ultimo_invio: null });
});

test('what waits is taken back by hand, answers too', async () => {
  await enqueue(answers('ROMLEI'));
  await enqueue(refused('ROMALTRO'));
  server.clock.advance(49 * HOUR);
  expect(await status()).toMatchObject({ in_attesa: 1 });
  expect(await takeBackNotifications(server.deps, server.actor, { canale: 'telegram' })).toEqual({
    tolti: 2,
  });
  expect(await status()).toEqual({ in_attesa: 0, ultimo_errore: null, ultimo_invio: null });
  await setUp();
  await deliverNext(server.deps, 'telegram');
  expect(telegram.requests).toBe(0);
});

test.each([
  ['bot', { telegram_bot_token: BOT_TOKEN }],
  ['chat', { telegram_chat_id: CHAT_ID }],
])('a changed %s hurries what was held back; another setting does not', async (_what, change) => {
  await setUp();
  telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: chat not found' });
  await enqueue(answers('ROMLEI'));
  await deliverNext(server.deps, 'telegram');
  telegram.fail({ kind: 'none' });
  server.clock.advance(1_000);
  await save({ contatto: '@lui' });
  await deliverNext(server.deps, 'telegram');
  expect(telegram.messages).toHaveLength(0);
  await save(change);
  await deliverNext(server.deps, 'telegram');
  expect(telegram.messages).toHaveLength(1);
});
