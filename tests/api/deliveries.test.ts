import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Delivery, parseDate } from '../../src/server/features/notifications/delivery.ts';
import { checkMailbox, sendEmail } from '../../src/server/features/notifications/email.ts';
import { checkBot, sendMessage } from '../../src/server/features/notifications/telegram.ts';
import { deliveryFailures, emailSubject, mailFailures } from '../../src/texts/notifications.ts';
import { freePort } from '../support/free-port.ts';
import {
  MAIL_PASSWORD,
  MAIL_USER,
  type MailServer,
  mailboxAt,
  mailServer,
  selfSigned,
} from '../support/mail-server.ts';
import { BOT_TOKEN, CHAT_ID, type Fault, type TelegramServer, telegramServer } from '../support/telegram.ts';
import { useTrusted } from '../support/trusted.ts';

/** Results of sending one message, by the response of the other side or the state of the network. */

describe('message by Telegram', () => {
  let telegram: TelegramServer;
  let bot: Parameters<typeof sendMessage>[0];
  beforeAll(async () => {
    telegram = await telegramServer();
    bot = { apiRoot: telegram.root, token: BOT_TOKEN, chat_id: CHAT_ID };
  });
  afterEach(() => telegram.fail({ kind: 'none' }));
  afterAll(() => telegram.close());
  const send = (signal?: AbortSignal) => sendMessage(bot, 'Ciao', signal);
  const status = (code: number, description = 'No', of?: string): Fault => ({
    kind: 'status',
    status: code,
    description,
    ...(of === undefined ? {} : { of }),
  });

  test('arrives in its chat; a check sends nothing and returns the server’s time', async () => {
    expect(await checkBot(bot)).toEqual({ state: 'good', told: expect.any(Date) });
    expect(telegram.messages).toEqual([]);
    expect(await send()).toEqual({ kind: 'sent', answer: 'ok, message_id 1' });
    expect(telegram.messages).toMatchObject([{ chat_id: CHAT_ID, text: 'Ciao' }]);
  });

  const unsure = { kind: 'failed', uncertain: true } as const;
  test.each<[string, Fault, Partial<Delivery>]>([
    ['about the message', status(400), { kind: 'refused', error: '400 No' }],
    ['about the chat', status(403), { kind: 'refused', error: '403 No' }],
    ['about the bot', status(401), { kind: 'failed', error: '401 No', uncertain: false }],
    ['too many', { kind: 'limited', retry_after: 7 }, { kind: 'limited', retry_after: 7 }],
    ['too many, for an unsaid time', status(429), { kind: 'limited', retry_after: 30, error: '429 No' }],
    ['another’s page', { kind: 'html' }, { ...unsure, error: deliveryFailures.unreadable }],
    ['an answer without an end', { kind: 'endless' }, unsure],
    ['a lost answer', { kind: 'lost' }, unsure],
  ])('has the delivery result of its failure: %s', async (_name, fault, expected) => {
    telegram.fail(fault);
    expect(await send()).toMatchObject(expected);
  });

  test('is certainly not delivered if the server is unreachable, and uncertain after a timeout or an abort', async () => {
    const nowhere = { ...bot, apiRoot: `http://127.0.0.1:${await freePort()}` };
    const error = `${deliveryFailures.network} (ECONNREFUSED)`;
    expect(await sendMessage(nowhere, 'Ciao')).toEqual({ kind: 'failed', error, uncertain: false });
    telegram.fail({ kind: 'slow', ms: 60_000 });
    expect(await send(AbortSignal.timeout(50))).toEqual({ ...unsure, error: deliveryFailures.timeout });
    expect(await send(AbortSignal.abort())).toEqual({ ...unsure, error: deliveryFailures.stopped });
  });

  test('stores 300 characters of an error and no part of the bot’s secret', async () => {
    const secret = BOT_TOKEN.slice(BOT_TOKEN.indexOf(':') + 1);
    for (const [reply, error] of [
      ['x'.repeat(400), `400 ${'x'.repeat(296)}`],
      [`${'x'.repeat(280)}${secret}`, `400 ${'x'.repeat(280)}…`],
      [
        `/bot${encodeURIComponent(BOT_TOKEN)}/x`,
        `400 /bot${encodeURIComponent(BOT_TOKEN.slice(0, BOT_TOKEN.indexOf(':') + 1))}…/x`,
      ],
    ] as const) {
      telegram.fail(status(400, reply));
      expect(await send()).toMatchObject({ error });
    }
  });

  test.each<[string, string, Fault]>([
    ['a bot it doesn’t know', 'refused', status(401, 'No', 'getMe')],
    ['half a token', 'refused', status(404, 'No', 'getMe')],
    ['no answer', 'silent', { kind: 'closed' }],
    ['an answer that is late', 'silent', { kind: 'silent' }],
    ['a chat that the bot isn’t in', 'unfound', status(400, 'No', 'getChat')],
    ['too many questions', 'silent', status(429, 'No', 'getChat')],
  ])('has a check that reports %s as %s', async (_what, state, fault) => {
    telegram.fail(fault);
    const signal = fault.kind === 'silent' ? AbortSignal.timeout(50) : undefined;
    expect(await checkBot(bot, signal)).toMatchObject({ state });
  });
});

describe('e-mail', () => {
  const LETTER = { text: '💛 Giulia ha risposto!\nPerché? Sì\nCodice: ROM-A', id: 'abc.1' };
  const pem = useTrusted();
  let server: MailServer;
  let open: MailServer;
  beforeAll(async () => {
    [server, open] = await Promise.all([mailServer('starttls', pem), mailServer('none', pem)]);
  });
  afterEach(() => server.fail({ at: 'none' }));
  afterAll(() => Promise.all([server.close(), open.close()]));
  const send = (change = {}, signal?: AbortSignal) =>
    sendEmail({ ...mailboxAt(server), ...change }, LETTER, signal);
  const ask = (change = {}, signal?: AbortSignal) =>
    checkMailbox({ ...mailboxAt(server), ...change }, signal);
  const failed = (error: string, uncertain = false) => ({ kind: 'failed', error, uncertain });
  const aborted = AbortSignal.abort();

  /** Runs `asking` against a server with this greeting. */
  async function greeted<T>(words: string, asking: (port: number) => Promise<T>): Promise<T> {
    const other = createServer((socket) => socket.end(`${words}\r\n`));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    return asking(port).finally(() => other.close());
  }

  test('is plain text between the two addresses and returns the server’s reply', async () => {
    expect(await send()).toEqual({ kind: 'sent', answer: expect.stringMatching(/^250 /) });
    const letter = server.letters.at(-1) ?? '';
    const [head = '', body = ''] = letter.split('\r\n\r\n');
    for (const line of [
      'From: Sorpresa <lui@posta.example>',
      'To: lei@posta.example',
      'Message-ID: <abc.1@posta.example>',
      'Subject: Giulia ha risposto!',
      'Auto-Submitted: auto-generated',
      'Content-Type: text/plain; charset=utf-8',
    ])
      expect(head.split('\r\n')).toContain(line);
    expect(letter).not.toMatch(/html|https?:|X-Mailer/i);
    expect(body).toContain('ROM-A');
    expect(server.signedIn).toContain(MAIL_USER);
  });

  test('is also sent over TLS from the first byte, and without a sign-in if none is required', async () => {
    const safe = await mailServer('tls', pem);
    expect(await sendEmail(mailboxAt(safe, 'tls'), LETTER)).toMatchObject({ kind: 'sent' });
    await safe.close();
    expect(await sendEmail(mailboxAt(open, 'none'), LETTER)).toMatchObject({ kind: 'sent' });
  });

  test.each([
    ['rcpt', 450, '4.2.0 Greylisted', 'failed'],
    ['rcpt', 550, '5.1.1 No such user', 'refused'],
    ['data', 451, '4.7.1 Later', 'refused'],
    ['data', 421, '4.3.2 Closing', 'failed'],
    ['rcpt', 530, '5.7.0 Who?', 'failed'],
  ] as const)('maps the reply at %s of %i %s to %s', async (at, code, text, kind) => {
    server.fail({ at, code, text });
    const delivery = await send();
    expect(delivery).toMatchObject({ kind, error: expect.stringContaining(`${code} ${text}`) });
    expect(delivery).not.toMatchObject({ uncertain: true });
  });

  test('reports a wrong password without any encoding of it', async () => {
    const password = 'sbagliatissima-99';
    expect(await send({ password })).toEqual(failed('535 5.7.8 No …'));
    for (const reply of [MAIL_PASSWORD, `\0${MAIL_USER}\0${MAIL_PASSWORD}`]) {
      const encoded = Buffer.from(reply).toString('base64');
      server.fail({ at: 'rcpt', code: 550, text: `${'x'.repeat(280)} ${encoded} ${MAIL_PASSWORD}` });
      const { error = '' } = (await send()) as { error?: string };
      expect(error.length).toBeLessThanOrEqual(300);
      for (const secret of [encoded, MAIL_PASSWORD]) expect(error).not.toContain(secret.slice(0, 8));
    }
  });

  test('reports an unreachable server, a timeout, an abort and a lost connection in Italian', async () => {
    expect(await send({ port: await freePort() })).toEqual(failed(`${mailFailures.network} (ECONNREFUSED)`));
    server.fail({ at: 'connect', hangs: true });
    expect(await send({}, AbortSignal.timeout(100))).toEqual(failed(mailFailures.timeout));
    server.fail({ at: 'data', hangs: true });
    expect(await send({}, AbortSignal.timeout(1_000))).toEqual(failed(mailFailures.timeout, true));
    expect(await send({}, aborted)).toMatchObject({ kind: 'failed', error: mailFailures.stopped });
    server.fail({ at: 'data', lost: true });
    expect(await send()).toMatchObject({ kind: 'failed', uncertain: true });
    const foreign = await greeted('SSH-2.0-OpenSSH_9.2 private', (port) => send({ port }));
    expect(foreign).toMatchObject({ kind: 'failed', error: mailFailures.unreadable });
  });

  test('is not sent without the required encryption or with an untrusted certificate', async () => {
    const before = open.letters.length;
    const mailbox = { ...mailboxAt(open), user: MAIL_USER, password: MAIL_PASSWORD };
    const unoffered = await sendEmail(mailbox, LETTER);
    expect(unoffered).toMatchObject({ kind: 'failed', error: expect.stringMatching(/^50\d /) });
    expect([open.letters.length, open.signedIn]).toEqual([before, []]);
    const stranger = await mailServer('starttls', selfSigned());
    const foreign = await sendEmail(mailboxAt(stranger), LETTER);
    const certificate = expect.stringContaining(mailFailures.certificate) as unknown;
    expect(foreign).toMatchObject({ kind: 'failed', error: certificate });
    expect(stranger.signedIn).toEqual([]);
    await stranger.close();
    expect(await send({ security: 'tls' })).toMatchObject({
      error: expect.stringContaining(mailFailures.tls),
    });
  });

  test('sends no unencrypted password to another machine', async () => {
    const clear = { host: 'smtp.example', security: 'none', user: MAIL_USER, password: 'x' };
    const connections = server.connections;
    expect(await send(clear)).toEqual(failed(mailFailures.inTheClear));
    expect(await ask(clear)).toEqual({ state: 'refused', told: null });
    expect(server.connections).toBe(connections);
    // Allowed without a password, with encryption, or on this machine: only the abort prevents sending.
    for (const change of [{ user: null, password: null }, { security: 'starttls' }, { host: '127.0.0.1' }])
      expect(await send({ ...clear, ...change }, aborted)).toMatchObject({ error: mailFailures.stopped });
  });

  test('is checked without sending a message', async () => {
    const before = server.letters.length;
    expect(await ask()).toEqual({ state: 'good', told: null });
    expect(server.letters).toHaveLength(before);
    const plain = { security: 'none', user: null, password: null };
    const words = '421 posta.example; Sun, 14 Feb 2027 20:00:00 +0100';
    expect(await greeted(words, (port) => ask({ ...plain, port }))).toEqual({
      state: 'silent',
      told: new Date('2027-02-14T19:00:00.000Z'),
    });
    expect(await ask({ password: 'x' })).toMatchObject({ state: 'refused' });
    expect(await ask({ port: await freePort() })).toMatchObject({ state: 'unfound' });
    server.fail({ at: 'connect', code: 500, text: 'No' });
    expect(await ask()).toMatchObject({ state: 'unfound' });
    server.fail({ at: 'connect', hangs: true });
    expect(await ask({}, AbortSignal.timeout(100))).toMatchObject({ state: 'silent' });
    expect(await ask({}, aborted)).toMatchObject({ state: 'silent' });
  });

  test('has the first line as its subject, without its sign and colon, up to 100 characters', () => {
    expect(emailSubject('🔒 7 tentativi non riusciti:\n• x: 7')).toBe('7 tentativi non riusciti');
    expect(emailSubject(`⚠️ ${'è'.repeat(200)}`)).toBe(`${'è'.repeat(99)}…`);
  });
});

test.each([
  ['Sun, 14 Feb 2027 19:00:00 GMT', '2027-02-14T19:00:00.000Z'],
  ['220 posta.example ESMTP ready Sun, 14 Feb 2027 20:00:00 +0100', '2027-02-14T19:00:00.000Z'],
  ['14 Xyz 2027 19:00:00 GMT', null],
  [null, null],
])('parses the time in «%s» as %s', (words, moment) => {
  expect(parseDate(words)?.toISOString() ?? null).toBe(moment);
});
