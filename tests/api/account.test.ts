import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FAILED_SIGN_INS_KEPT } from '../../src/domain/limits.ts';
import { resetPassword } from '../../src/server/auth/reset-password.ts';
import { readEnv } from '../../src/server/env.ts';
import { ask, authOn, post, type TestAuth } from '../support/auth.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';

const EMAIL = 'chi.prepara@example.org';
const PASSWORD = 'canarino-giallo-8472';
const NEW_PASSWORD = 'merlo-indiano-9313';
const NEW_EMAIL = 'altra.casella@example.org';
const HOUR = 3_600_000;

let strangers = 0;
const elsewhere = () => ({ address: `198.51.${Math.floor(strangers / 250)}.${(strangers++ % 250) + 1}` });

let database: TestDatabase;
let auth: TestAuth;
let cookie: string;
beforeEach(async () => {
  database = await sqliteDatabase();
  auth = await authOn(database);
  cookie = (await send('/sign-up/email', { email: EMAIL, password: PASSWORD }, { cookie: '' })).cookie;
});
afterEach(() => database.drop());

const send = (path: string, body: object, sent: object = {}) =>
  post(auth, path, body, { ...elsewhere(), cookie, ...sent });
const signIn = (email = EMAIL, password = PASSWORD, headers = {}) =>
  send('/sign-in/email', { email, password }, { cookie: '', headers });
const whoIs = async (who: string) => (await ask(auth, '/get-session', undefined, { cookie: who })).body;
const devices = async (who = cookie) => {
  const { status, text } = await ask(auth, '/list-sessions', undefined, { cookie: who });
  return { status, found: JSON.parse(text) as { current: boolean; user_agent: string; used_at: string }[] };
};
const events = () =>
  database.db
    .selectFrom('event_logs')
    .select(['event_type', 'success', 'error_message', 'user_agent', 'metadata', 'token_value', 'device_id'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
const kinds = async () => (await events()).map(({ event_type }) => event_type);

test('another e-mail opens from now on, for who knows the password', async () => {
  const wrong = await send('/change-email', { password: 'non-è-questa', newEmail: NEW_EMAIL });
  expect(wrong).toMatchObject({ status: 401, body: { codice: 'BAD_CREDENTIALS' } });
  const none = await send('/change-email', { password: PASSWORD, newEmail: 'nessuna' });
  expect(none).toMatchObject({ status: 400, body: { codice: 'BAD_INPUT' } });
  expect(await whoIs(cookie)).toEqual({ email: EMAIL });

  const changed = await send('/change-email', {
    password: PASSWORD,
    newEmail: ` ${NEW_EMAIL.toUpperCase()} `,
  });
  expect(changed).toMatchObject({ status: 200, body: { email: NEW_EMAIL } });
  expect(await whoIs(cookie)).toEqual({ email: NEW_EMAIL });
  expect((await signIn()).status).toBe(401);
  expect((await signIn(NEW_EMAIL)).status).toBe(200);
});

test('an e-mail that is somebody else’s is not taken', async () => {
  auth = await authOn(database, { REGISTRATION: 'open' });
  await send('/sign-up/email', { email: NEW_EMAIL, password: PASSWORD }, { cookie: '' });
  const taken = await send('/change-email', { password: PASSWORD, newEmail: NEW_EMAIL });
  expect(taken).toMatchObject({
    status: 409,
    body: { codice: 'EMAIL_TAKEN', messaggio: 'Con questa e-mail accede già un’altra persona.' },
  });
  expect(await whoIs(cookie)).toEqual({ email: EMAIL });
});

test('the other devices are listed, and are signed out together', async () => {
  const other = await signIn(EMAIL, PASSWORD, { 'user-agent': 'Telefono di prova' });
  auth.wait(HOUR);
  expect(await whoIs(cookie)).toEqual({ email: EMAIL });
  const { status, found } = await devices();
  expect(status).toBe(200);
  expect(found).toMatchObject([{ current: true }, { current: false, user_agent: 'Telefono di prova' }]);
  expect(Object.keys(found[0] ?? {}).toSorted()).toEqual([
    'created_at',
    'current',
    'id',
    'used_at',
    'user_agent',
  ]);

  const wrong = await send('/revoke-other-sessions', { password: 'non-è-questa' });
  expect(wrong.body.codice).toBe('BAD_CREDENTIALS');
  expect(await whoIs(other.cookie)).toEqual({ email: EMAIL });
  expect((await send('/revoke-other-sessions', { password: PASSWORD })).status).toBe(200);
  expect(await whoIs(other.cookie)).toBeNull();
  expect(await whoIs(cookie)).toEqual({ email: EMAIL });
  expect((await devices()).found).toHaveLength(1);
});

test('a device counts as used when it asks, every five minutes at most, and not when it is asked about quietly', async () => {
  const used = async () => (await devices()).found[0]?.used_at;
  const first = await used();
  auth.wait(HOUR / 12 - 30_000);
  expect(await used()).toBe(first);
  auth.wait(60_000);
  const headers = new Headers({ cookie });
  expect(await auth.readSession(headers, { quietly: true })).toMatchObject({ email: EMAIL });
  const { updatedAt } = (
    await sql<{ updatedAt: string | Date }>`select "updatedAt" from session`.execute(database.db)
  ).rows[0] ?? { updatedAt: '' };
  expect(new Date(updatedAt).toISOString()).toBe(first);
  const later = await used();
  expect(Date.parse(later ?? '') - Date.parse(first ?? '')).toBeGreaterThan(HOUR / 12);
});

test('the devices are listed by when they were used last', async () => {
  for (const agent of ['Secondo', 'Terzo']) {
    auth.wait(HOUR);
    await signIn(EMAIL, PASSWORD, { 'user-agent': agent });
  }
  auth.wait(HOUR);
  expect((await devices()).found.map(({ user_agent }) => user_agent)).toEqual(['', 'Terzo', 'Secondo']);
});

test('a device that nobody has used for a day is not among them', async () => {
  await signIn();
  auth.wait(23 * HOUR);
  await whoIs(cookie);
  auth.wait(2 * HOUR);
  expect((await devices()).found).toMatchObject([{ current: true }]);
});

test('nobody else is told or heard', async () => {
  for (const path of ['/change-email', '/revoke-other-sessions']) {
    const body = { password: PASSWORD, ...(path === '/change-email' && { newEmail: NEW_EMAIL }) };
    expect((await send(path, body, { cookie: '' })).body.codice).toBe('SIGN_IN_REQUIRED');
  }
  expect((await ask(auth, '/list-sessions', undefined)).body.codice).toBe('SIGN_IN_REQUIRED');
});

test('guesses fill only their own room: the oldest give way, and nothing else does', async () => {
  const old = Array.from({ length: FAILED_SIGN_INS_KEPT.rows }, (_, n) => ({
    id: n.toString(16).padStart(24, '0'),
    event_type: 'admin_sign_in_failed',
    token_id: null,
    token_value: null,
    device_id: null,
    user_agent: null,
    success: false,
    error_message: null,
    metadata: '{}',
    created_at: new Date(Date.UTC(2020, 0, 1) + n * 1_000).toISOString(),
  }));
  for (let from = 0; from < old.length; from += 500)
    await database.db
      .insertInto('event_logs')
      .values(old.slice(from, from + 500))
      .execute();
  await signIn(EMAIL, 'password-scritta-male', { 'user-agent': 'Il più recente' });
  const told = await events();
  expect(told.filter(({ event_type }) => event_type === 'admin_signed_in')).toHaveLength(1);
  expect(told).toHaveLength(1 + FAILED_SIGN_INS_KEPT.rows);
  expect(told.at(-1)).toMatchObject({ event_type: 'admin_sign_in_failed', user_agent: 'Il più recente' });
});

test('whatever happens to it is in the log, and nothing that was typed', async () => {
  await signIn(EMAIL, 'password-scritta-male', { 'user-agent': `Firefox ${'x'.repeat(400)}` });
  await signIn('password-nel-campo-sbagliato', PASSWORD);
  await signIn();
  await send('/revoke-other-sessions', { password: PASSWORD });
  await send('/change-email', { password: PASSWORD, newEmail: NEW_EMAIL });
  await send('/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
  const env = readEnv({ ...database.env });
  const deps = { ...database, env, now: () => new Date() };
  expect(await resetPassword(deps, NEW_EMAIL, PASSWORD)).toBe('done');
  expect(await kinds()).toEqual([
    'admin_signed_in',
    'admin_sign_in_failed',
    'admin_sign_in_failed',
    'admin_signed_in',
    'admin_sessions_ended',
    'admin_email_changed',
    'admin_password_changed',
    'admin_password_changed',
  ]);
  const told = await events();
  expect(told[1]).toMatchObject({
    success: false,
    error_message: 'Credenziali non valide',
    token_value: null,
    device_id: null,
  });
  expect(told[1]?.user_agent).toHaveLength(200);
  const text = JSON.stringify(told);
  for (const typed of ['scritta-male', 'campo-sbagliato', PASSWORD, NEW_PASSWORD, EMAIL, NEW_EMAIL])
    expect(text).not.toContain(typed);
});
