import { afterEach, beforeEach, expect, test } from 'vitest';
import { encrypt } from '../../src/server/auth/secrets.ts';
import { readEnv } from '../../src/server/env.ts';
import { isOpen, openChannels } from '../../src/server/features/notifications/channels.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { SECRET } from '../support/notifier.ts';
import { configRow } from '../support/rows.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await sqliteDatabase();
});
afterEach(() => database.drop());

const sealed = (text: string, secret = SECRET) => encrypt(secret, text);
const OTHER = Buffer.alloc(32, 9);
const BOT = { telegram_bot_token: sealed('1:a'), telegram_chat_id: '42' };
const MAIL = {
  smtp_host: 'smtp.example',
  smtp_user: 'lui',
  smtp_password: sealed('x'),
  email_from: 'lui@posta.example',
  email_to: 'lei@posta.example',
};

/** What can be sent by, with this saved. */
async function opened(fields: object | null): Promise<object> {
  await database.db.deleteFrom('admin_config').execute();
  if (fields !== null)
    await database.db
      .insertInto('admin_config')
      .values({ ...configRow(1), ...fields })
      .execute();
  const deps = { env: readEnv({ ...database.env }), db: database.db, secret: SECRET };
  const { telegram, email } = await openChannels(deps);
  return { telegram: isOpen(telegram) ? 'open' : telegram, email: isOpen(email) ? 'open' : email };
}

test('before anything was saved there is no way to send', async () => {
  for (const nothing of [null, {}])
    expect(await opened(nothing)).toEqual({ telegram: 'unset', email: 'unset' });
});

test.each<[string, object, string]>([
  ['token and chat', {}, 'open'],
  ['no token', { telegram_bot_token: null }, 'unset'],
  ['no chat', { telegram_chat_id: null }, 'unset'],
  ['a token of another secret', { telegram_bot_token: sealed('1:a', OTHER) }, 'unreadable'],
])('Telegram with %s: %s', async (_what, change, telegram) => {
  expect(await opened({ ...BOT, ...change })).toEqual({ telegram, email: 'unset' });
});

test.each<[string, object, string]>([
  ['all', {}, 'open'],
  ['no sign-in', { smtp_user: null, smtp_password: null }, 'open'],
  ['no sign-in, and a password that is left', { smtp_user: null, smtp_password: sealed('x', OTHER) }, 'open'],
  ['no server', { smtp_host: null }, 'unset'],
  ['no sender', { email_from: null }, 'unset'],
  ['nobody to send to', { email_to: null }, 'unset'],
  ['no password', { smtp_password: null }, 'unset'],
  ['a password of another secret', { smtp_password: sealed('x', OTHER) }, 'unreadable'],
])('e-mail with %s: %s', async (_what, change, email) => {
  expect(await opened({ ...MAIL, ...change })).toEqual({ telegram: 'unset', email });
});
