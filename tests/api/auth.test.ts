import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { FAILED_SIGN_IN_LOG } from '../../src/domain/limits.ts';
import { AUTH_ROUTES, createBetterAuth } from '../../src/server/auth/better-auth.ts';
import { resetPassword } from '../../src/server/auth/reset-password.ts';
import { readEnv } from '../../src/server/env.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import {
  type Answer,
  ask,
  authOn,
  authTables,
  nodesOn,
  ORIGIN,
  type Sent,
  type TestAuth,
} from '../support/auth.ts';
import { eventRows, insertEvents } from '../support/csv.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';

const EMAIL = 'chi.prepara@example.org';
const NEW_EMAIL = 'altra.casella@example.org';
const PASSWORD = 'canarino-giallo-8472';
const NEW_PASSWORD = 'merlo-indiano-9313';
const HOUR = 3_600_000;

let database: TestDatabase;
let auth: TestAuth;
let seen: string[] = [];
let strangers = 0;
beforeEach(async () => {
  seen = [];
  database = await sqliteDatabase();
  auth = await authOn(database);
});
afterEach(() => database.drop());

/** Returns a new address each time, for requests that don't test the limits of one address. */
const elsewhere = () => ({ address: `198.51.${Math.floor(strangers / 250)}.${(strangers++ % 250) + 1}` });
async function send(path: string, body: unknown, sent: Sent & { on?: TestAuth } = {}): Promise<Answer> {
  const answer = await ask(sent.on ?? auth, path, body, { ...elsewhere(), ...sent });
  seen.push(answer.text);
  return answer;
}
const register = (body: object = {}, on = auth) =>
  send('/sign-up/email', { email: EMAIL, password: PASSWORD, ...body }, { on });
const signIn = (password = PASSWORD, sent: Parameters<typeof send>[2] & { email?: string } = {}) =>
  send('/sign-in/email', { email: sent.email ?? EMAIL, password }, sent);
const sessionOf = async (cookie: string, on = auth) =>
  (await send('/get-session', undefined, { cookie, on })).body;
const refusal = (status: number, codice: keyof typeof errorSentences) => ({
  status,
  body: { codice, messaggio: errorSentences[codice] },
});

describe('registration', () => {
  test('signs in the first administrator and closes registration', async () => {
    expect(await auth.registrationOpen()).toBe(true);
    const registered = await register({ email: `  ${EMAIL.toUpperCase()} ` });
    expect(registered).toMatchObject({ status: 200, body: { email: EMAIL } });
    expect(await auth.registrationOpen()).toBe(false);
    expect(await register({ email: NEW_EMAIL })).toMatchObject(refusal(403, 'REGISTRATION_CLOSED'));
    expect(await sessionOf(registered.cookie)).toEqual({ email: EMAIL });
    expect((await signIn()).body).toEqual({ email: EMAIL });
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 2 });
  });

  test('refuses a bad password or e-mail, and accepts an unusual password', async () => {
    expect(await register({ password: 'corta' })).toMatchObject(refusal(400, 'WEAK_PASSWORD'));
    expect(await register({ email: `${EMAIL}\0` })).toMatchObject(refusal(400, 'BAD_INPUT'));
    expect(await authTables(database)).toEqual({ users: 0, accounts: 0, sessions: 0 });
    const strange = `🦜 ${'lungo '.repeat(20)}\u0301`;
    for (const answer of [await register({ password: strange }), await signIn(strange.normalize('NFD'))])
      expect(answer.status).toBe(200);
  });

  test('accepts every client if it is open, and requires a configured SETUP_CODE', async () => {
    const guarded = await authOn(database, { SETUP_CODE: 'Apriti Sesamo' });
    for (const extra of [{}, { setup_code: 'apriti' }])
      expect(await register(extra, guarded)).toMatchObject(refusal(403, 'SETUP_CODE_WRONG'));
    expect((await register({ setup_code: 'Apriti Sesamo' }, guarded)).status).toBe(200);
    const free = await authOn(database, { REGISTRATION: 'open' });
    const another = { email: 'seconda@example.org' };
    expect((await register(another, free)).status).toBe(200);
    expect(await register(another, free)).toMatchObject(refusal(409, 'REGISTRATION_FAILED'));
    expect((await register({ email: 'terza@example.org' })).status).toBe(403);
    expect(await authTables(database)).toMatchObject({ users: 2, accounts: 2 });
  });

  test('admits exactly one of fifty concurrent clients on five nodes', async () => {
    const nodes = await nodesOn(database, 5);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => register({ email: `persona${i}@example.org` }, nodes[i % 5])),
    );
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.codice);
    expect(refused).toEqual(Array(49).fill('REGISTRATION_CLOSED'));
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 1 });
  });
});

describe('sign-in', () => {
  beforeEach(() => register());

  test('expires after 24 idle hours and after 7 days at most', async () => {
    const { cookie } = await signIn();
    for (let hours = 0; hours < 7 * 24 - 20; hours += 20) {
      expect(await sessionOf(cookie), `after ${hours} h`).toEqual({ email: EMAIL });
      auth.wait(20 * HOUR);
    }
    auth.wait(20 * HOUR);
    expect(await sessionOf(cookie)).toBeNull();
    const again = await authOn(database);
    const second = await signIn(PASSWORD, { on: again });
    again.wait(24 * HOUR + 1_000);
    expect(await sessionOf(second.cookie, again)).toBeNull();
  });

  test('ends with sign-out, and refuses forged or altered cookies', async () => {
    const { cookie } = await signIn();
    const forged = cookie.replace(/(session_token=)[^.;]{4}/, '$1AAAA');
    expect(forged).not.toBe(cookie);
    expect(await sessionOf(forged)).toBeNull();
    expect(await send('/sign-out', {}, { cookie })).toMatchObject({ status: 200, body: {} });
    expect(await sessionOf(cookie)).toBeNull();
    expect(await auth.readSession(new Headers({ cookie }))).toBeNull();
  });

  test('accepts cookies with the earlier names, ends their session too, and ignores another install on the same host', async () => {
    const { cookie } = await signIn();
    const before = cookie.replaceAll(/sorpresa_[0-9a-f]{8}\./g, 'sorpresa.');
    expect(before).toMatch(/^sorpresa\.session_token=.*; sorpresa\.device=/);
    expect(await sessionOf(before)).toEqual({ email: EMAIL });
    expect(await auth.readSession(new Headers({ cookie: before }))).toMatchObject({ email: EMAIL });
    const theirDatabase = await sqliteDatabase();
    onTestFinished(() => theirDatabase.drop());
    const other = await authOn(theirDatabase);
    const otherInstall = await register({}, other);
    expect(otherInstall.cookie.split('=')[0]).not.toBe(cookie.split('=')[0]);
    const both = `${otherInstall.cookie}; ${before}`;
    expect([await sessionOf(both), await sessionOf(both, other)]).toEqual([
      { email: EMAIL },
      { email: EMAIL },
    ]);
    expect(await sessionOf(before, other)).toBeNull();
    const newer = `${(await signIn(PASSWORD, { cookie: before })).cookie}; ${before}`;
    const out = await send('/sign-out', {}, { cookie: newer });
    expect(out.headers.getSetCookie().join()).not.toContain('sorpresa.');
    expect([await sessionOf(newer), await sessionOf(before)]).toEqual([null, null]);
    expect(await sessionOf(otherInstall.cookie, other)).toEqual({ email: EMAIL });
  });

  test('blocks an address after a burst of guesses, but not a known device there, and no other address', async () => {
    const { cookie } = await signIn();
    const here = { address: '203.0.113.9' };
    const burst = await Promise.all(Array.from({ length: 8 }, () => signIn('indovino?', here)));
    const counts = [401, 429].map((status) => burst.filter((answer) => answer.status === status).length);
    expect(counts).toEqual([5, 3]);
    const tooMany = { codice: 'TOO_MANY_ATTEMPTS', secondi: expect.any(Number) };
    expect(burst.at(-1)?.body).toMatchObject(tooMany);
    expect(burst.at(-1)?.headers.get('retry-after')).toBe(`${burst.at(-1)?.body.secondi}`);
    // The signature is base64url, which has hyphens too.
    const stolen = cookie.replace(/(device=[\w-]+\.)[\w-]{4}/, '$1AAAA');
    expect(stolen).not.toBe(cookie);
    const attempts = async () => [
      (await signIn(PASSWORD, here)).status,
      (await signIn(PASSWORD, { ...here, cookie: stolen })).status,
      (await signIn(PASSWORD, { ...here, cookie })).status,
      (await signIn()).status,
    ];
    expect(await attempts()).toEqual([429, 429, 200, 200]);
    auth.wait(60_000);
    // Many successful sign-ins and sign-outs in a row don't count as guesses.
    for (let times = 0; times < 6; times += 1) {
      const signedIn = await signIn(PASSWORD, here);
      expect(signedIn.status).toBe(200);
      expect((await send('/sign-out', {}, { ...here, cookie: signedIn.cookie })).status).toBe(200);
    }
  });

  test('sets cookies that scripts can’t read, Secure if TLS is used', async () => {
    const plain = (await signIn()).headers.getSetCookie();
    const origin = 'https://sorpresa.example.org';
    const https = await authOn(database, { PUBLIC_URL: origin });
    const secure = (await signIn(PASSWORD, { on: https, headers: { origin } })).headers.getSetCookie();
    expect([plain.length, secure.length]).toEqual([2, 2]);
    for (const line of plain) expect(line).toMatch(/^(?!__Secure)[^;]+;(?!.*; Secure)(?=.*; HttpOnly)/);
    for (const line of secure) expect(line).toMatch(/^__Secure-[^;]+;(?=.*; Secure)(?=.*; HttpOnly)/);
    for (const line of [...plain, ...secure]) expect(line).toMatch(/; SameSite=Lax/);
  });

  test('refuses sign-in and sign-out from another site’s page', async () => {
    const { cookie } = await signIn();
    const headers = { origin: `${ORIGIN}0`, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    const forbidden = refusal(403, 'FORBIDDEN_ORIGIN');
    expect(await signIn(PASSWORD, { cookie, headers })).toMatchObject(forbidden);
    expect((await send('/sign-out', {}, { cookie, headers })).status).toBe(403);
    expect(await sessionOf(cookie)).toEqual({ email: EMAIL });
  });

  test('exposes no other endpoint of better-auth', async () => {
    const { cookie } = await signIn();
    const { api } = createBetterAuth(
      { ...database, env: readEnv(database.env), log: pino({ level: 'silent' }), now: () => new Date() },
      Buffer.alloc(32),
    );
    type Endpoint = { path?: string; options?: { method?: string | string[] } };
    const endpoints = Object.values(api as unknown as Record<string, Endpoint>);
    const closed = endpoints.flatMap(({ path, options }) =>
      path === undefined || path in AUTH_ROUTES
        ? []
        : [options?.method ?? ['GET', 'POST']].flat().map((method) => [method, path] as const),
    );
    expect(closed.length).toBeGreaterThan(20);
    for (const [method, path] of closed) {
      const answer = await send(path, method === 'GET' ? undefined : {}, { method, cookie });
      expect(answer, `${method} ${path}`).toMatchObject(refusal(404, 'NOT_FOUND'));
    }
    expect((await send('/sign-in/email', undefined, { cookie })).status).toBe(405);
    for (const path of ['', '/', '/sign-in', '/sign-in/email/', '//sign-out', '/constructor', '/__proto__'])
      expect((await send(path, {}, { cookie })).status, path).toBe(404);
  });
});

describe('account', () => {
  let cookie: string;
  beforeEach(async () => {
    cookie = (await register()).cookie;
  });
  type Device = { current: boolean; user_agent: string; used_at: string };
  const devices = async (): Promise<Device[]> =>
    JSON.parse((await ask(auth, '/list-sessions', undefined, { cookie })).text);
  const agent = (name: string) => ({ headers: { 'user-agent': name } });
  const changeEmail = (password: string, newEmail = NEW_EMAIL) =>
    send('/change-email', { password, newEmail }, { cookie });
  const changePassword = (body: object) =>
    send('/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...body }, { cookie });
  const events = () =>
    database.db.selectFrom('event_logs').selectAll().orderBy('created_at').orderBy('id').execute();

  test('ends every other session when the password changes', async () => {
    const other = (await signIn()).cookie;
    const weak = await changePassword({ newPassword: 'corta' });
    expect(weak).toMatchObject(refusal(400, 'WEAK_PASSWORD'));
    const wrong = await changePassword({ currentPassword: 'un’altra ancora' });
    expect(wrong).toMatchObject(refusal(401, 'BAD_CREDENTIALS'));
    const changed = await changePassword({});
    expect(changed).toMatchObject({ status: 200, body: {} });
    for (const ended of [other, cookie]) expect(await sessionOf(ended)).toBeNull();
    expect(await sessionOf(changed.cookie)).toEqual({ email: EMAIL });
    expect([(await signIn()).status, (await signIn(NEW_PASSWORD)).status]).toEqual([401, 200]);
  });

  test('changes the e-mail if the password is correct and the e-mail is not taken', async () => {
    expect(await changeEmail('non-è-questa')).toMatchObject(refusal(401, 'BAD_CREDENTIALS'));
    expect(await changeEmail(PASSWORD, 'nessuna')).toMatchObject(refusal(400, 'BAD_INPUT'));
    const open = await authOn(database, { REGISTRATION: 'open' });
    await register({ email: 'altra@example.org' }, open);
    expect(await changeEmail(PASSWORD, 'altra@example.org')).toMatchObject(refusal(409, 'EMAIL_TAKEN'));
    const changed = await changeEmail(PASSWORD, ` ${NEW_EMAIL.toUpperCase()} `);
    expect(changed).toMatchObject({ status: 200, body: { email: NEW_EMAIL } });
    expect(await sessionOf(cookie)).toEqual({ email: NEW_EMAIL });
    const attempts = [await signIn(), await signIn(PASSWORD, { email: NEW_EMAIL })];
    expect(attempts.map(({ status }) => status)).toEqual([401, 200]);
  });

  test('lists devices by their last use and signs out the others together', async () => {
    const phone = await signIn(PASSWORD, agent('Telefono'));
    auth.wait(HOUR);
    await signIn(PASSWORD, agent('Tavoletta'));
    auth.wait(HOUR);
    const found = await devices();
    expect(found.map(({ current, user_agent }) => [current, user_agent])).toEqual([
      [true, ''],
      [false, 'Tavoletta'],
      [false, 'Telefono'],
    ]);
    expect(JSON.stringify(found)).not.toContain(/session_token=([^.]+)/.exec(cookie)?.[1]);
    const revoke = (password: string) => send('/revoke-other-sessions', { password }, { cookie });
    expect(await revoke('non-è-questa')).toMatchObject(refusal(401, 'BAD_CREDENTIALS'));
    expect(await sessionOf(phone.cookie)).toEqual({ email: EMAIL });
    expect((await revoke(PASSWORD)).status).toBe(200);
    expect([await sessionOf(phone.cookie), await sessionOf(cookie)]).toEqual([null, { email: EMAIL }]);
    expect(await devices()).toHaveLength(1);
  });

  test('records the use of a device every five minutes at most and forgets it after a day', async () => {
    const used = async () => (await devices())[0]?.used_at ?? '';
    const first = await used();
    auth.wait(HOUR / 12 - 30_000);
    expect(await used()).toBe(first);
    auth.wait(60_000);
    // A quiet read doesn't count as use.
    const quietly = { quietly: true };
    expect(await auth.readSession(new Headers({ cookie }), quietly)).toMatchObject({ email: EMAIL });
    const { rows } = await sql<{ updatedAt: string }>`select "updatedAt" from session`.execute(database.db);
    expect(new Date(rows[0]?.updatedAt ?? '').toISOString()).toBe(first);
    expect(Date.parse(await used()) - Date.parse(first)).toBeGreaterThan(HOUR / 12);
    await signIn();
    auth.wait(23 * HOUR);
    await sessionOf(cookie);
    auth.wait(2 * HOUR);
    expect(await devices()).toMatchObject([{ current: true }]);
  });

  test('deletes the oldest failed sign-ins from a full log, and nothing else', async () => {
    const failed = { event_type: 'admin_sign_in_failed', created_at: '2020-01-01T00:00:00.000Z' };
    const old = eventRows(FAILED_SIGN_IN_LOG.rows, 1_000).map((row) => ({ ...row, ...failed }));
    await insertEvents(database, old);
    await signIn('password-scritta-male', agent('Il più recente'));
    const logRows = await events();
    expect(logRows).toHaveLength(1 + FAILED_SIGN_IN_LOG.rows);
    expect(logRows.at(-2)).toMatchObject({ event_type: 'admin_signed_in' });
    expect(logRows.at(-1)).toMatchObject({ event_type: failed.event_type, user_agent: 'Il più recente' });
  });

  test('logs every event of the account, and stores no typed value in a body or in the server’s log', async () => {
    await signIn('password-scritta-male', agent(`Firefox ${'x'.repeat(400)}`));
    await signIn(PASSWORD, { email: 'password-nel-campo-sbagliato' });
    await signIn();
    await send('/revoke-other-sessions', { password: PASSWORD }, { cookie });
    await changeEmail(PASSWORD);
    await changePassword({});
    const deps = { ...database, env: readEnv({ ...database.env }), now: () => new Date() };
    expect(await resetPassword(deps, 'nessuno@example.org', PASSWORD)).toBe('unknown');
    expect(await resetPassword(deps, NEW_EMAIL, PASSWORD)).toBe('done');
    const logRows = await events();
    expect(logRows.map(({ event_type }) => event_type.replace('admin_', ''))).toEqual([
      'signed_in',
      'sign_in_failed',
      'sign_in_failed',
      'signed_in',
      'sessions_ended',
      'email_changed',
      'password_changed',
      'password_changed',
    ]);
    const failed = { success: false, error_message: 'Credenziali non valide' };
    expect(logRows[1]).toMatchObject({ ...failed, token_value: null, device_id: null });
    expect(logRows[1]?.user_agent).toHaveLength(200);
    const passwords = ['scritta-male', 'campo-sbagliato', PASSWORD, NEW_PASSWORD];
    for (const typed of [...passwords, EMAIL, NEW_EMAIL])
      expect(JSON.stringify(logRows)).not.toContain(typed);
    const written = [...seen, auth.logged()].join('\n');
    for (const secret of passwords) expect(written).not.toContain(secret);
  });
});
