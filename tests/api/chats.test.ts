import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { saveConfig } from '../../src/server/features/config/config.service.ts';
import { lookForChats } from '../../src/server/features/notifications/settings.service.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { freePort } from '../support/free-port.ts';
import {
  BOT_NAME,
  BOT_TOKEN,
  type Fault,
  giulia,
  joined,
  type TelegramServer,
  telegramServer,
  wrote,
} from '../support/telegram.ts';

/** Where a saved bot was met, by a Telegram of our own; Telegram's answers are those its Bot API gives. */

const GROUP = { id: -4_001, type: 'group', title: 'Noi due' };
const SUPERGROUP = { id: -1_001_234_567_890, type: 'supergroup', title: 'Noi due', username: 'noidue' };

let server: TestServer;
let telegram: TelegramServer;
beforeAll(async () => {
  server = await openTestServer(sqliteDatabase);
});
afterAll(() => server.close());
beforeEach(async () => {
  telegram = await telegramServer();
  server.deps.env.TELEGRAM_API_ROOT = telegram.root;
  await server.deps.db.deleteFrom('admin_config').execute();
});
afterEach(() => telegram.close());

async function save(telegram_bot_token: string | null = BOT_TOKEN): Promise<void> {
  const saved = await saveConfig(server.deps, server.actor, { versione: 0, fields: { telegram_bot_token } });
  if (isRefused(saved)) throw new Error(saved.refused);
}
const look = (signal?: AbortSignal) => lookForChats(server.deps, server.actor, signal);
const found = async () => {
  const answer = await look();
  if (isRefused(answer)) throw new Error(answer.refused);
  return answer;
};
const ids = async () => (await found()).chat.map(({ id }) => id);

test('without a token, or with one of another secret, Telegram isn’t asked', async () => {
  expect(await look()).toEqual({ refused: 'NOT_CONFIGURED' });
  await save();
  await server.deps.db.updateTable('admin_config').set({ telegram_bot_token: 'di un altro' }).execute();
  expect(await look()).toEqual({ refused: 'NOT_CONFIGURED' });
  expect(telegram.requests).toBe(0);
});

test('nobody has written yet: no chat, but where the bot is found', async () => {
  await save();
  expect(await look()).toEqual({ bot: BOT_NAME, chat: [], problema: null });
});

test('whoever pressed «Avvia», groups and channels are found, the latest first, each once', async () => {
  await save();
  telegram.updates.push(
    wrote(1, giulia),
    joined(2, GROUP),
    {
      update_id: 3,
      channel_post: { message_id: 1, date: 0, chat: { id: -1_009, type: 'channel', title: 'Diario' } },
    },
    wrote(4, { id: 8, type: 'private', first_name: '', username: 'senza_nome' }),
    wrote(5, giulia, { text: 'eccomi' }),
  );
  expect((await found()).chat).toEqual([
    { id: '7000000001', tipo: 'private', nome: 'Giulia Bianchi', utente: 'giulia' },
    { id: '8', tipo: 'private', nome: 'senza_nome', utente: 'senza_nome' },
    { id: '-1009', tipo: 'channel', nome: 'Diario', utente: null },
    { id: '-4001', tipo: 'group', nome: 'Noi due', utente: null },
  ]);
});

test('what was read stays to be read: two pages at once see the same', async () => {
  await save();
  telegram.updates.push(wrote(1, giulia), joined(2, GROUP));
  const [first, second] = await Promise.all([found(), found()]);
  expect(first.chat).toHaveLength(2);
  expect(second).toEqual(first);
  expect(await found()).toEqual(first);
});

test('a chat the bot is thrown out of is offered no more; a group that became a supergroup is that one', async () => {
  await save();
  telegram.updates.push(wrote(1, giulia), joined(2, giulia, 'kicked'), joined(3, GROUP));
  expect(await ids()).toEqual(['-4001']);
  telegram.updates.push(wrote(4, GROUP, { migrate_to_chat_id: SUPERGROUP.id }), wrote(5, SUPERGROUP));
  expect((await found()).chat).toEqual([
    { id: '-1001234567890', tipo: 'group', nome: 'Noi due', utente: 'noidue' },
  ]);
  telegram.updates.push(joined(6, giulia));
  expect(await ids()).toEqual(['7000000001', '-1001234567890']);
});

test('of many only the latest are read, however long they are', async () => {
  await save();
  const text = '\u{1F389}'.repeat(4_096);
  for (let number = 1; number <= 60; number += 1)
    telegram.updates.push(wrote(number, { ...giulia, id: number }, { text }));
  const latest = await ids();
  expect(latest).toHaveLength(50);
  expect(latest[0]).toBe('60');
});

test('updates of other kinds, and what isn’t one, are passed over', async () => {
  await save();
  const odd = [
    { update_id: 1, callback_query: { id: '1' } },
    { update_id: 2, message: { chat: { id: 'x', type: 'private' } } },
    { update_id: 3, message: { chat: { id: 9, type: 'secret' } } },
    { update_id: 4, message: null },
    wrote(5, { ...giulia, username: 'no/t a name' }),
  ];
  telegram.updates.push(...(odd as typeof telegram.updates));
  expect((await found()).chat).toEqual([
    { id: '7000000001', tipo: 'private', nome: 'Giulia Bianchi', utente: null },
  ]);
});

const status = (code: number, description: string): Fault => ({ kind: 'status', status: code, description });

describe('what keeps the chat from being found has a name', () => {
  test.each<[string, string, Fault]>([
    ['a wrong token', 'TOKEN_REFUSED', status(401, 'Unauthorized')],
    ['half a token', 'TOKEN_REFUSED', status(404, 'Not Found')],
    [
      'a webhook',
      'WEBHOOK_SET',
      status(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first"),
    ],
    [
      'another program',
      'READ_ELSEWHERE',
      status(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot is running'),
    ],
    ['too many questions', 'SLOWED_DOWN', { kind: 'limited', retry_after: 5 }],
    ['Telegram’s own trouble', 'UNREACHABLE', status(502, 'Bad Gateway')],
    ['another’s page', 'UNREACHABLE', { kind: 'html' }],
    ['an answer without an end', 'UNREACHABLE', { kind: 'endless' }],
    ['a way elsewhere', 'UNREACHABLE', { kind: 'redirect', to: 'http://127.0.0.1:1/' }],
    ['a lost line', 'UNREACHABLE', { kind: 'closed' }],
  ])('%s: %s', async (_what, problema, fault) => {
    await save();
    telegram.updates.push(wrote(1, giulia));
    telegram.fail(fault);
    expect(await found()).toEqual({ bot: null, chat: [], problema });
    telegram.fail({ kind: 'none' });
    expect(await ids()).toEqual(['7000000001']);
  });

  test('no network: UNREACHABLE', async () => {
    await save();
    server.deps.env.TELEGRAM_API_ROOT = `http://127.0.0.1:${await freePort()}`;
    expect(await found()).toEqual({ bot: null, chat: [], problema: 'UNREACHABLE' });
  });
});

test('no piece of the token is told, however Telegram echoes it', async () => {
  await save();
  telegram.fail(status(401, `no bot at /bot${BOT_TOKEN}/getUpdates`));
  expect(JSON.stringify(await found())).not.toContain(BOT_TOKEN.slice(-8));
});

test('a look ends with who asked for it', async () => {
  await save();
  telegram.fail({ kind: 'silent' });
  const page = new AbortController();
  const looking = look(page.signal);
  await vi.waitUntil(() => telegram.waiting() === 2);
  page.abort();
  expect(await looking).toMatchObject({ chat: [], problema: 'UNREACHABLE' });
  await vi.waitUntil(() => telegram.waiting() === 0);
});
