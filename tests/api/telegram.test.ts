import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Delivery, dateIn } from '../../src/server/features/notifications/delivery.ts';
import { askBot, sendMessage } from '../../src/server/features/notifications/telegram.ts';
import { deliveryFailures } from '../../src/texts/notifications.ts';
import { freePort } from '../support/free-port.ts';
import { BOT_TOKEN, CHAT_ID, type Fault, type TelegramServer, telegramServer } from '../support/telegram.ts';

/** What became of one message, told from what Telegram or the network did to it. */

const BOT = { token: BOT_TOKEN, chat_id: CHAT_ID };

describe('a message', () => {
  let telegram: TelegramServer;
  beforeAll(async () => {
    telegram = await telegramServer();
  });
  afterEach(() => telegram.fail({ kind: 'none' }));
  afterAll(() => telegram.close());

  const send = (more = {}) => sendMessage(telegram.root, BOT, 'Ciao', more);
  const status = (code: number, description = 'No'): Fault => ({
    kind: 'status',
    status: code,
    description,
  });

  test('arrives in its chat', async () => {
    expect(await send()).toEqual({ kind: 'sent', answer: 'ok, message_id 1' });
    expect(telegram.messages).toMatchObject([{ chat_id: CHAT_ID, text: 'Ciao' }]);
  });

  test.each<[string, Fault, Partial<Delivery>]>([
    ['400 is about the message', status(400), { kind: 'refused', error: '400 No' }],
    ['403 is about the chat', status(403), { kind: 'refused', error: '403 No' }],
    ['401 is about the bot', status(401), { kind: 'failed', error: '401 No', uncertain: false }],
    ['500 is Telegram’s own', status(500), { kind: 'failed', error: '500 No', uncertain: false }],
    ['too many', { kind: 'limited', retry_after: 7 }, { kind: 'limited', retry_after: 7 }],
    ['too many, for an unsaid time', status(429), { kind: 'limited', retry_after: 30, error: '429 No' }],
    [
      'another’s page',
      { kind: 'html' },
      { kind: 'failed', error: deliveryFailures.unreadable, uncertain: true },
    ],
    ['an answer without an end', { kind: 'endless' }, { kind: 'failed', uncertain: true }],
    ['a lost answer', { kind: 'lost' }, { kind: 'failed', uncertain: true }],
  ])('%s', async (_name, fault, expected) => {
    telegram.fail(fault);
    expect(await send()).toMatchObject(expected);
  });

  test('nobody there: nothing can have arrived', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await sendMessage(nowhere, BOT, 'Ciao')).toEqual({
      kind: 'failed',
      error: `${deliveryFailures.network} (ECONNREFUSED)`,
      uncertain: false,
    });
  });

  test('too slow an answer, or a sending that is given up, may have arrived', async () => {
    telegram.fail({ kind: 'slow', ms: 60_000 });
    expect(await send({ patience: 50 })).toEqual({
      kind: 'failed',
      error: deliveryFailures.timeout,
      uncertain: true,
    });
    expect(await send({ signal: AbortSignal.abort() })).toEqual({
      kind: 'failed',
      error: deliveryFailures.stopped,
      uncertain: true,
    });
  });

  test('an error keeps 300 characters, and no half of the bot’s secret', async () => {
    telegram.fail(status(400, 'x'.repeat(400)));
    expect(await send()).toMatchObject({ error: `400 ${'x'.repeat(296)}` });
    const secret = BOT_TOKEN.slice(BOT_TOKEN.indexOf(':') + 1);
    telegram.fail(status(400, `${'x'.repeat(280)}${secret}`));
    expect(await send()).toMatchObject({ error: `400 ${'x'.repeat(280)}…` });
    telegram.fail(status(400, `of ${BOT_TOKEN}.`));
    expect(await send()).toMatchObject({ error: '400 of ….' });
  });
});

describe('asked whether it would take a message', () => {
  let telegram: TelegramServer;
  beforeAll(async () => {
    telegram = await telegramServer();
  });
  afterEach(() => telegram.fail({ kind: 'none' }));
  afterAll(() => telegram.close());

  const ask = (change = {}, more = {}) => askBot(telegram.root, { ...BOT, ...change }, more);
  const of = (method: string, code: number): Fault => ({
    kind: 'status',
    status: code,
    description: 'No',
    of: method,
  });

  test('it does, sends nothing, and tells its time', async () => {
    const { state, told } = await ask();
    expect([state, told]).toEqual(['good', expect.any(Date)]);
    expect(telegram.messages).toEqual([]);
  });

  test.each<[string, string, Fault]>([
    ['a bot it doesn’t know', 'refused', of('getMe', 401)],
    ['half a token', 'refused', of('getMe', 404)],
    ['its own trouble', 'silent', of('getMe', 500)],
    ['no answer', 'silent', { kind: 'closed' }],
    ['a chat that the bot isn’t in', 'unfound', of('getChat', 400)],
    ['a chat that it was thrown out of', 'unfound', of('getChat', 403)],
    ['its own trouble, a moment later', 'silent', of('getChat', 502)],
    ['too many questions', 'silent', of('getChat', 429)],
  ])('%s: %s', async (_what, state, fault) => {
    telegram.fail(fault);
    expect(await ask()).toMatchObject({ state });
  });

  test('one that takes too long says nothing', async () => {
    telegram.fail({ kind: 'silent' });
    expect(await ask({}, { patience: 50 })).toEqual({ state: 'silent', told: null });
  });
});

test.each([
  ['Sun, 14 Feb 2027 19:00:00 GMT', '2027-02-14T19:00:00.000Z'],
  ['220 posta.example ESMTP ready Sun, 14 Feb 2027 20:00:00 +0100', '2027-02-14T19:00:00.000Z'],
  ['220 posta.example; 4 Feb 2027 19:00:00 -0130 (x)', '2027-02-04T20:30:00.000Z'],
  ['220 posta.example ESMTP ready', null],
  ['14 Xyz 2027 19:00:00 GMT', null],
  ['2027-02-14 19:00:00', null],
  [null, null],
])('the time in «%s» is %s', (words, moment) => {
  expect(dateIn(words)?.toISOString() ?? null).toBe(moment);
});
