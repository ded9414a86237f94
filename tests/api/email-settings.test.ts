import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, saveConfig } from '../../src/server/features/config/config.service.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
import {
  notificationsStatus,
  takeBackNotifications,
  testNotifications,
} from '../../src/server/features/notifications/settings.service.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { MAIL_PASSWORD, type MailServer, mailboxAt, mailServer } from '../support/mail-server.ts';
import { answers } from '../support/notifier.ts';
import { useSignedUp } from '../support/suites.ts';
import { BOT_TOKEN, CHAT_ID } from '../support/telegram.ts';

type Fields = Parameters<typeof saveConfig>[2]['fields'];

describe('the mail server on the page of notifications', () => {
  let server: TestServer;
  let mail: MailServer;
  beforeEach(async () => {
    [server, mail] = await Promise.all([openTestServer(sqliteDatabase), mailServer('none')]);
  });
  afterEach(async () => {
    await mail.close();
    await server.close();
  });

  const read = () => readConfig(server.deps, server.actor);
  const save = async (fields: Fields) => {
    const saved = await saveConfig(server.deps, server.actor, { versione: (await read()).versione, fields });
    if (isRefused(saved)) throw new Error(saved.refused);
  };
  const tryOut = () => testNotifications(server.deps, server.actor, { canale: 'email' });
  const settings = (): Fields => {
    const { host, port, security, from, to } = mailboxAt(mail, 'none');
    return {
      smtp_host: host,
      smtp_port: port,
      smtp_security: security,
      email_from: from,
      email_to: to,
    };
  };

  test('before anything was saved: submission with STARTTLS, and nothing can be tried', async () => {
    expect(await read()).toMatchObject({
      smtp_host: null,
      smtp_port: 587,
      smtp_security: 'starttls',
      smtp_password_kept: false,
    });
    expect(await tryOut()).toEqual({ refused: 'NOT_CONFIGURED' });
    await save({ ...settings(), smtp_user: 'lui' });
    expect(await tryOut()).toEqual({ refused: 'NOT_CONFIGURED' });
    await save({ smtp_user: null });
    expect(await tryOut()).toMatchObject({ sent: true, answer: expect.stringMatching(/^250 /) });
    expect(mail.letters).toHaveLength(1);
  });

  test('the password is kept encrypted, never read back, and forgotten with another server', async () => {
    await save({ ...settings(), smtp_user: 'lui', smtp_password: MAIL_PASSWORD });
    const rows = await server.deps.db.selectFrom('admin_config').selectAll().execute();
    const config = await read();
    expect(JSON.stringify([rows, config])).not.toContain(MAIL_PASSWORD);
    expect(config).toMatchObject({ smtp_password_kept: true });
    await save({ ...settings(), smtp_user: 'lui' });
    expect(await read()).toMatchObject({ smtp_password_kept: true });
    await save({ smtp_host: 'smtp.altrove.example' });
    expect(await read()).toMatchObject({ smtp_password_kept: false });
    await save({ smtp_host: 'smtp.example', smtp_password: MAIL_PASSWORD });
    expect(await read()).toMatchObject({ smtp_password_kept: true });
  });

  test('each channel has its own state, and what waits for one is taken back by itself', async () => {
    await save({ ...settings(), telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID });
    await server.deps.inTransaction((tx) => enqueueNotification(tx, answers('ROMLEI'), server.deps.now()));
    const status = () => notificationsStatus(server.deps, server.actor);
    expect(await status()).toMatchObject({ telegram: { in_attesa: 1 }, email: { in_attesa: 1 } });
    expect(await takeBackNotifications(server.deps, server.actor, { canale: 'email' })).toEqual({ tolti: 1 });
    expect(await status()).toMatchObject({ telegram: { in_attesa: 1 }, email: { in_attesa: 0 } });
  });
});

describe('what is no mail server', () => {
  const { server, to } = useSignedUp();
  const save = (fields: object) =>
    fetch(`${to.url}/api/admin/config`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', cookie: to.cookie, origin: to.url },
      body: JSON.stringify({ versione: 0, fields }),
    });

  test.each<[string, object]>([
    ['an address', { smtp_host: 'https://smtp.example' }],
    ['a name with its port', { smtp_host: 'smtp.example:587' }],
    ['a name of two lines', { smtp_host: 'smtp.example\r\nQUIT' }],
    ['an empty name', { smtp_host: '' }],
    ['a port that isn’t one', { smtp_port: 0 }],
    ['a port above all', { smtp_port: 65_536 }],
    ['a port with a comma', { smtp_port: 25.5 }],
    ['another encryption', { smtp_security: 'ssl' }],
    ['an encryption of nothing', { smtp_security: null }],
    ['a user of two lines', { smtp_user: 'lui\r\nDATA' }],
    ['a password that is too long', { smtp_password: 'x'.repeat(201) }],
    ['an empty password', { smtp_password: '' }],
    ['a sender with a header behind', { email_from: 'a@b.example\r\nBcc: c@d.example' }],
    ['two recipients', { email_to: 'a@b.example, c@d.example' }],
    ['a recipient with a name', { email_to: 'Lui <a@b.example>' }],
    ['a recipient that is too long', { email_to: `a@${'b'.repeat(260)}.example` }],
  ])('%s is refused, and nothing of it is told or logged', async (_what, fields) => {
    const answer = await save(fields);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ codice: 'BAD_INPUT' });
  });

  test('a password in a save that is refused is in no answer and no log', async () => {
    const answer = await save({ smtp_password: MAIL_PASSWORD, smtp_port: 'x' });
    expect(answer.status).toBe(400);
    expect(`${await answer.text()}${server.logged()}`).not.toContain(MAIL_PASSWORD);
  });

  test.each(['localhost', '127.0.0.1', '::1', 'smtp.gmail.com', 'posta_interna', 'smtp.example.'])(
    '«%s» is one',
    async (smtp_host) => {
      const read = await fetch(`${to.url}/api/admin/config`, { headers: { cookie: to.cookie } });
      const { versione } = (await read.json()) as { versione: number };
      const answer = await fetch(`${to.url}/api/admin/config`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', cookie: to.cookie, origin: to.url },
        body: JSON.stringify({ versione, fields: { smtp_host } }),
      });
      expect(answer.status).toBe(200);
    },
  );

  test('another way than the two is refused', async () => {
    for (const path of ['test', 'take-back']) {
      const answer = await fetch(`${to.url}/api/admin/notifications/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: to.cookie, origin: to.url },
        body: JSON.stringify({ canale: 'piccione' }),
      });
      expect(answer.status).toBe(400);
    }
  });
});
