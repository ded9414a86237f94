import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { askMailbox, sendEmail } from '../../src/server/features/notifications/email.ts';
import { emailSubject, mailFailures } from '../../src/texts/email.ts';
import { freePort } from '../support/free-port.ts';
import {
  MAIL_PASSWORD,
  MAIL_USER,
  type MailFault,
  type MailServer,
  mailboxAt,
  mailServer,
  selfSigned,
} from '../support/mail-server.ts';
import { useTrusted } from '../support/trusted.ts';

/** What became of one e-mail, told from what the mail server or the network did to it. */

const LETTER = { text: '💛 Giulia ha risposto!\nPerché? Sì\nCodice: ROM-A', id: 'abc.1' };

describe('an e-mail', () => {
  const pem = useTrusted();
  let server: MailServer;
  let open: MailServer;
  beforeAll(async () => {
    [server, open] = await Promise.all([mailServer('starttls', pem), mailServer('none', pem)]);
  });
  afterEach(() => server.fail({ at: 'none' }));
  afterAll(() => Promise.all([server.close(), open.close()]));

  const send = (change = {}, more = {}) => sendEmail({ ...mailboxAt(server), ...change }, LETTER, more);

  test('is plain text between the two addresses, and the server’s own answer is told', async () => {
    expect(await send()).toEqual({ kind: 'sent', answer: expect.stringMatching(/^250 /) });
    const letter = server.letters.at(-1) ?? '';
    const [head = '', body = ''] = letter.split('\r\n\r\n');
    expect(head).toMatch(/^From: Sorpresa <lui@posta\.example>$/m);
    expect(head).toMatch(/^To: lei@posta\.example$/m);
    expect(head).toMatch(/^Message-ID: <abc\.1@posta\.example>$/m);
    expect(head).toMatch(/^Subject: Giulia ha risposto!$/m);
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
    expect(letter).not.toMatch(/html|https?:|X-Mailer/i);
    expect(body).toContain('ROM-A');
    expect(server.signedIn).toContain(MAIL_USER);
  });

  test('leaves by TLS from the first byte, too, and without a sign-in where none is wanted', async () => {
    const safe = await mailServer('tls', pem);
    expect(await sendEmail(mailboxAt(safe, 'tls'), LETTER)).toMatchObject({ kind: 'sent' });
    await safe.close();
    expect(await sendEmail(mailboxAt(open, 'none'), LETTER)).toMatchObject({ kind: 'sent' });
  });

  const code = (at: 'connect' | 'rcpt' | 'data', number: number, text: string): MailFault => ({
    at,
    code: number,
    text,
  });
  test.each([
    ['a greylist', code('rcpt', 450, '4.2.0 Greylisted'), 'failed', '450 4.2.0 Greylisted'],
    ['an unknown recipient', code('rcpt', 550, '5.1.1 No such user'), 'refused', '550 5.1.1 No such user'],
    ['a text that is refused for now', code('data', 451, '4.7.1 Later'), 'refused', '451 4.7.1 Later'],
    ['a text that is refused', code('data', 554, '5.7.1 Spam'), 'refused', '554 5.7.1 Spam'],
    ['a server that closes', code('rcpt', 421, '4.3.2 Closing'), 'failed', '421 4.3.2 Closing'],
    ['a server that closes at the text', code('data', 421, '4.3.2 Closing'), 'failed', '421 4.3.2 Closing'],
    ['a recipient who isn’t understood', code('rcpt', 500, '5.5.2 What?'), 'refused', '500 5.5.2 What?'],
    ['a sign-in that is wanted', code('rcpt', 530, '5.7.0 Who?'), 'failed', '530 5.7.0 Who?'],
    ['a sign-in that is too weak', code('rcpt', 534, '5.7.9 Weak'), 'failed', '534 5.7.9 Weak'],
    ['a sign-in that failed', code('data', 535, '5.7.8 No'), 'failed', '535 5.7.8 No'],
    ['a sign-in to be encrypted', code('rcpt', 538, '5.7.11 TLS'), 'failed', '538 5.7.11 TLS'],
    ['a server that is full', code('connect', 421, 'Too many'), 'failed', '421 '],
  ])('%s', async (_what, fault, kind, answer) => {
    server.fail(fault);
    const delivery = await send();
    expect(delivery).toMatchObject({ kind, error: expect.stringContaining(answer) });
    expect(delivery).not.toMatchObject({ uncertain: true });
  });

  test('a wrong password is told without it, in none of the forms in which it is sent', async () => {
    const password = 'sbagliatissima-99';
    const delivery = await send({ password });
    expect(delivery).toEqual({ kind: 'failed', error: '535 5.7.8 No …', uncertain: false });
    for (const text of [password, `\0${MAIL_USER}\0${password}`]) {
      server.fail({ at: 'rcpt', code: 550, text: `You said ${Buffer.from(text).toString('base64')}` });
      expect(await send({ password })).toMatchObject({ error: '535 5.7.8 No …' });
    }
    for (const said of [MAIL_PASSWORD, `\0${MAIL_USER}\0${MAIL_PASSWORD}`]) {
      const text = `${'x'.repeat(280)} ${Buffer.from(said).toString('base64')} ${MAIL_PASSWORD}`;
      server.fail({ at: 'rcpt', code: 550, text });
      const { error = '' } = (await send()) as { error?: string };
      expect(error.length).toBeLessThanOrEqual(300);
      expect(error).not.toContain(Buffer.from(said).toString('base64').slice(0, 8));
      expect(error).not.toContain(MAIL_PASSWORD.slice(0, 8));
    }
  });

  test('nobody there, never a greeting, no answer, stopped, hung up: said in words', async () => {
    const nobody = { port: await freePort() };
    expect(await send(nobody)).toEqual({
      kind: 'failed',
      error: `${mailFailures.network} (ECONNREFUSED)`,
      uncertain: false,
    });
    server.fail({ at: 'connect', hangs: true });
    const timeout = { kind: 'failed', error: mailFailures.timeout, uncertain: false };
    expect(await send({}, { patience: 100 })).toEqual(timeout);
    server.fail({ at: 'data', hangs: true });
    expect(await send({}, { patience: 1_000 })).toEqual({ ...timeout, uncertain: true });
    const stopped = { signal: AbortSignal.abort() };
    expect(await send({}, stopped)).toMatchObject({ kind: 'failed', error: mailFailures.stopped });
    server.fail({ at: 'data', lost: true });
    expect(await send()).toMatchObject({ kind: 'failed', uncertain: true });
  });

  test('STARTTLS that isn’t offered is not done without', async () => {
    const before = open.letters.length;
    const mailbox = { ...mailboxAt(open), user: MAIL_USER, password: MAIL_PASSWORD };
    expect(await sendEmail(mailbox, LETTER)).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/^50\d /),
    });
    expect(open.letters).toHaveLength(before);
    expect(open.signedIn).toEqual([]);
  });

  test('a certificate that nobody signed is refused, and so is TLS where it isn’t spoken', async () => {
    const stranger = await mailServer('starttls', selfSigned());
    const delivery = await sendEmail(mailboxAt(stranger), LETTER);
    expect(delivery).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining(mailFailures.certificate),
    });
    expect(stranger.signedIn).toEqual([]);
    await stranger.close();
    expect(await send({ security: 'tls' })).toMatchObject({
      error: expect.stringContaining(mailFailures.tls),
    });
  });

  test('a password doesn’t leave this machine in the clear', async () => {
    const mailbox = { ...mailboxAt(server, 'none'), host: 'smtp.example', user: MAIL_USER, password: 'x' };
    expect(await sendEmail(mailbox, LETTER)).toEqual({
      kind: 'failed',
      error: mailFailures.inTheClear,
      uncertain: false,
    });
    // With nothing to hide, encrypted, or on this machine it may: only the stop keeps it from going.
    const nothing = { user: null, password: null };
    for (const change of [nothing, { security: 'starttls' as const }, { host: '127.0.0.1' }])
      expect(
        await sendEmail({ ...mailbox, ...change }, LETTER, { signal: AbortSignal.abort() }),
      ).toMatchObject({
        error: mailFailures.stopped,
      });
  });

  describe('asked whether it would take one', () => {
    const ask = (change = {}, more = {}) => askMailbox({ ...mailboxAt(server), ...change }, more);

    test('it does, and nothing is sent', async () => {
      const before = server.letters.length;
      expect(await ask()).toEqual({ state: 'good', told: null });
      expect(server.letters).toHaveLength(before);
      expect(await askMailbox(mailboxAt(open, 'none'))).toMatchObject({ state: 'good' });
    });

    test('it tells the time that it greets with', async () => {
      const { createServer } = await import('node:net');
      const greeting = createServer((socket) =>
        socket.end('421 posta.example; Sun, 14 Feb 2027 20:00:00 +0100\r\n'),
      );
      await new Promise<void>((resolve) => greeting.listen(0, '127.0.0.1', resolve));
      const { port } = greeting.address() as { port: number };
      const told = new Date('2027-02-14T19:00:00.000Z');
      expect(await ask({ port, security: 'none', user: null, password: null })).toEqual({
        state: 'silent',
        told,
      });
      await new Promise((resolve) => greeting.close(resolve));
    });

    test.each<[string, string, MailFault]>([
      ['one that is full for now', 'silent', code('connect', 421, 'Too many')],
      ['one that is asked too often', 'silent', code('connect', 450, 'Later')],
      ['one that has trouble', 'silent', code('connect', 400, 'Later')],
      ['one that takes nothing', 'unfound', code('connect', 554, 'No')],
      ['one that understands nothing', 'unfound', code('connect', 500, 'No')],
      ['one that wants to be asked in another way', 'refused', code('connect', 530, 'Encrypt')],
    ])('%s: %s', async (_what, state, fault) => {
      server.fail(fault);
      expect(await ask()).toMatchObject({ state });
    });

    test('a wrong password is refused, nobody there isn’t found, and no greeting says nothing', async () => {
      expect(await ask({ password: 'x' })).toMatchObject({ state: 'refused' });
      expect(await ask({ port: await freePort() })).toMatchObject({ state: 'unfound' });
      server.fail({ at: 'connect', hangs: true });
      expect(await ask({}, { patience: 100 })).toMatchObject({ state: 'silent' });
      expect(await ask({}, { signal: AbortSignal.abort() })).toMatchObject({ state: 'silent' });
    });

    test('no password leaves this machine in the clear', async () => {
      const before = server.connections;
      expect(await ask({ host: 'smtp.example', security: 'none' })).toEqual({ state: 'refused', told: null });
      expect(server.connections).toBe(before);
    });
  });

  test('what isn’t a mail server is not quoted', async () => {
    const { createServer } = await import('node:net');
    const other = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2 private\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    expect(await send({ port })).toMatchObject({ kind: 'failed', error: mailFailures.unreadable });
    await new Promise((resolve) => other.close(resolve));
  });
});

test.each([
  [
    '💌 La sorpresa è cominciata! Giulia ha aperto.\nCodice: A',
    'La sorpresa è cominciata! Giulia ha aperto.',
  ],
  ['⏸️ Giulia ha lasciato', 'Giulia ha lasciato'],
  ['🔒 7 tentativi non riusciti:\n• x: 7', '7 tentativi non riusciti'],
  [`⚠️ ${'è'.repeat(200)}`, `${'è'.repeat(99)}…`],
])('the subject of «%s»', (text, subject) => {
  expect(emailSubject(text)).toBe(subject);
});
