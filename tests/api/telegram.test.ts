import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/server/features/notifications/delivery.ts';
import { sendMessage } from '../../src/server/features/notifications/telegram.ts';
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
