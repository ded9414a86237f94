import { getMigrations } from 'better-auth/db/migration';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBetterAuth } from '../../src/server/auth/better-auth.ts';
import { AUTH_ROUTES } from '../../src/server/auth/requests.ts';
import { forgetSignIns } from '../../src/server/auth/sessions.ts';
import { readEnv } from '../../src/server/env.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { type Answer, ask, authOn, authTables, ORIGIN, post, type TestAuth } from '../support/auth.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';

const EMAIL = 'chi.prepara@example.org';
const PASSWORD = 'canarino-giallo-8472';
const NEW_PASSWORD = 'merlo-indiano-9313';
const HOUR = 3_600_000;

let seen: Answer[] = [];
let strangers = 0;
/** What isn't about the limits of one address comes from elsewhere each time. */
const elsewhere = () => ({ address: `198.51.${Math.floor(strangers / 250)}.${(strangers++ % 250) + 1}` });

async function remembered(answer: Promise<Answer>): Promise<Answer> {
  seen.push(await answer);
  return answer;
}
const register = (auth: TestAuth, body: object = {}) =>
  remembered(post(auth, '/sign-up/email', { email: EMAIL, password: PASSWORD, ...body }, elsewhere()));
const signIn = (auth: TestAuth, password = PASSWORD, sent: object = {}) =>
  remembered(post(auth, '/sign-in/email', { email: EMAIL, password }, { ...elsewhere(), ...sent }));
const whoIs = (auth: TestAuth, cookie: string) =>
  remembered(ask(auth, '/get-session', undefined, { cookie, ...elsewhere() }));

let database: TestDatabase;
let auth: TestAuth;

beforeEach(async () => {
  seen = [];
  database = await sqliteDatabase();
  auth = await authOn(database);
});
afterEach(() => database.drop());

test('the first to register is signed in, and the door closes behind', async () => {
  expect(await auth.registrationOpen()).toBe(true);
  const registered = await register(auth, { email: `  ${EMAIL.toUpperCase()} ` });
  expect(registered).toMatchObject({ status: 200, body: { email: EMAIL } });
  expect(await auth.registrationOpen()).toBe(false);
  const late = await register(auth, { email: 'altra@example.org' });
  expect(late).toMatchObject({ status: 403, body: { codice: 'REGISTRATION_CLOSED' } });
  expect(late.body.messaggio).toBe('Registrazione chiusa: esiste già un amministratore.');
  expect((await whoIs(auth, registered.cookie)).body).toEqual({ email: EMAIL });
  expect((await signIn(auth)).body).toEqual({ email: EMAIL });
  expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 2 });
});

test('a wrong password and an unknown e-mail are told the same', async () => {
  await register(auth);
  const wrong = await signIn(auth, 'non è questa, credo');
  const unknown = await post(
    auth,
    '/sign-in/email',
    { email: 'nessuno@example.org', password: PASSWORD },
    elsewhere(),
  );
  const noEmail = await post(auth, '/sign-in/email', { email: 'nessuno', password: PASSWORD }, elsewhere());
  expect(wrong).toMatchObject({
    status: 401,
    body: { codice: 'BAD_CREDENTIALS', messaggio: 'Credenziali non valide' },
  });
  expect(unknown.text).toBe(wrong.text);
  expect(noEmail.text).toBe(wrong.text);
  expect(unknown.headers.getSetCookie()).toEqual([]);
});

test('weak passwords are refused, strange and long ones are not', async () => {
  const refused = {
    WEAK_PASSWORD: ['', 'corta', 'novelette'],
    COMMON_PASSWORD: [
      'password2024!',
      'Forzajuventus1',
      '1234567890',
      'aaaaaaaaaaaa',
      'qwertyuiop',
      'chi.prepara1',
    ],
    LONG_PASSWORD: ['x'.repeat(257)],
  } as const;
  for (const codice of ['WEAK_PASSWORD', 'COMMON_PASSWORD', 'LONG_PASSWORD'] as const)
    for (const password of refused[codice])
      expect(await register(auth, { password }), password).toMatchObject({
        status: 400,
        body: { codice, messaggio: errorSentences[codice] },
      });
  const strange = `🦜 ${'lungo '.repeat(20)}\u0301`;
  expect(await register(auth, { password: strange })).toMatchObject({ status: 200 });
  expect(await signIn(auth, strange)).toMatchObject({ status: 200 });
  expect(await signIn(auth, strange.normalize('NFD'))).toMatchObject({ status: 200 });
});

test('a session lives 24 idle hours and 7 days at most', async () => {
  const { cookie } = await register(auth);
  for (let hours = 0; hours < 7 * 24 - 20; hours += 20) {
    expect((await whoIs(auth, cookie)).body, `after ${hours} h`).toEqual({ email: EMAIL });
    auth.wait(20 * HOUR);
  }
  auth.wait(20 * HOUR);
  expect((await whoIs(auth, cookie)).body).toBeNull();
  expect(await authTables(database)).toMatchObject({ sessions: 0 });
  const again = await authOn(database);
  const second = await signIn(again);
  again.wait(24 * HOUR + 1_000);
  expect((await whoIs(again, second.cookie)).body).toBeNull();
});

test('signing out ends the session, a forged or altered cookie is nobody’s', async () => {
  const { cookie } = await register(auth);
  const forged = cookie.replace(/(session_token=)[^.;]{4}/, '$1AAAA');
  expect(forged).not.toBe(cookie);
  expect((await whoIs(auth, forged)).body).toBeNull();
  expect(await post(auth, '/sign-out', {}, { cookie })).toMatchObject({ status: 200, body: {} });
  expect((await whoIs(auth, cookie)).body).toBeNull();
  expect(await auth.readSession(new Headers({ cookie }))).toBeNull();
});

test('a new password ends every other session', async () => {
  const { cookie } = await register(auth);
  const other = (await signIn(auth)).cookie;
  const change = (body: object, sent: object = { cookie }) =>
    remembered(
      post(
        auth,
        '/change-password',
        { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...body },
        { ...elsewhere(), ...sent },
      ),
    );
  expect(await change({}, {})).toMatchObject({ status: 401, body: { codice: 'SIGN_IN_REQUIRED' } });
  expect(await change({ newPassword: 'corta' })).toMatchObject({
    status: 400,
    body: { codice: 'WEAK_PASSWORD' },
  });
  expect(await change({ currentPassword: 'un’altra ancora' })).toMatchObject({
    status: 401,
    body: { codice: 'BAD_CREDENTIALS' },
  });
  const changed = await change({});
  expect(changed).toMatchObject({ status: 200, body: {} });
  expect((await whoIs(auth, other)).body).toBeNull();
  expect((await whoIs(auth, cookie)).body).toBeNull();
  expect((await whoIs(auth, changed.cookie)).body).toEqual({ email: EMAIL });
  expect(await signIn(auth)).toMatchObject({ status: 401 });
  expect(await signIn(auth, NEW_PASSWORD)).toMatchObject({ status: 200 });
});

test('REGISTRATION=open lets anybody in, SETUP_CODE only who knows it', async () => {
  const guarded = await authOn(database, { SETUP_CODE: 'Apriti Sesamo' });
  expect(await register(guarded)).toMatchObject({ status: 403, body: { codice: 'SETUP_CODE_WRONG' } });
  expect(await register(guarded, { setup_code: 'apriti' })).toMatchObject({ status: 403 });
  expect(await register(guarded, { setup_code: 'Apriti Sesamo' })).toMatchObject({ status: 200 });
  const free = await authOn(database, { REGISTRATION: 'open' });
  expect(await register(free, { email: 'seconda@example.org' })).toMatchObject({ status: 200 });
  expect(await register(free, { email: 'terza@example.org' })).toMatchObject({ status: 200 });
  const taken = await register(free, { email: 'terza@example.org' });
  expect(taken).toMatchObject({ status: 409, body: { messaggio: 'Errore durante la registrazione' } });
  expect(await register(auth, { email: 'quarta@example.org' })).toMatchObject({ status: 403 });
  expect(await authTables(database)).toMatchObject({ users: 3, accounts: 3 });
});

test('a burst of guesses from one address is cut short, and refuses neither a known device there nor anybody elsewhere', async () => {
  const { cookie } = await register(auth);
  const here = { address: '203.0.113.9' };
  const burst = await Promise.all(Array.from({ length: 8 }, () => signIn(auth, 'indovino?', here)));
  const counts = [401, 429].map((status) => burst.filter((answer) => answer.status === status).length);
  expect(counts).toEqual([5, 3]);
  expect(burst.at(-1)?.body).toMatchObject({ codice: 'TOO_MANY_ATTEMPTS', secondi: expect.any(Number) });
  expect(await signIn(auth, PASSWORD, here)).toMatchObject({ status: 429 });
  // The seal is base64url, which has hyphens too.
  const stolen = cookie.replace(/(device=[\w-]+\.)[\w-]{4}/, '$1AAAA');
  expect(stolen).not.toBe(cookie);
  expect(await signIn(auth, PASSWORD, { ...here, cookie: stolen })).toMatchObject({ status: 429 });
  expect(await signIn(auth, PASSWORD, { ...here, cookie })).toMatchObject({ status: 200 });
  expect(await signIn(auth)).toMatchObject({ status: 200 });
  auth.wait(60_000);
  expect(await signIn(auth, PASSWORD, here)).toMatchObject({ status: 200 });
});

test('signing in and out many times in a row is no guessing', async () => {
  await register(auth);
  const here = { address: '203.0.113.9' };
  for (let times = 0; times < 5; times += 1) {
    const { status, cookie } = await signIn(auth, PASSWORD, here);
    expect(status).toBe(200);
    expect(await post(auth, '/sign-out', {}, { ...here, cookie })).toMatchObject({ status: 200 });
  }
});

test('sign-ins that have run out are removed, though nobody asks for them', async () => {
  await register(auth);
  await signIn(auth);
  const at = (hours: number) => () => new Date(Date.now() + hours * HOUR);
  const { inTransaction } = database;
  await forgetSignIns({ inTransaction, now: at(23) });
  expect(await authTables(database)).toMatchObject({ sessions: 2 });
  await forgetSignIns({ inTransaction, now: at(25) });
  expect(await authTables(database)).toMatchObject({ users: 1, sessions: 0 });
});

test('cookies can’t be read by scripts, and travel only over TLS where there is TLS', async () => {
  const plain = (await register(auth)).headers.getSetCookie();
  const https = await authOn(database, { PUBLIC_URL: 'https://sorpresa.example.org' });
  const origin = { headers: { origin: 'https://sorpresa.example.org' } };
  const secure = (await signIn(https, PASSWORD, origin)).headers.getSetCookie();
  expect(plain).toHaveLength(2);
  for (const line of plain) expect(line).toMatch(/; HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/i);
  for (const line of plain) expect(line).not.toMatch(/; Secure/);
  expect(secure).toHaveLength(2);
  for (const line of secure)
    expect(line).toMatch(/^__Secure-[^;]+;(?=.*; Secure)(?=.*; HttpOnly)(?=.*; SameSite=Lax)/);
});

test('another site’s page can’t sign anybody in or out', async () => {
  const { cookie } = await register(auth);
  for (const origin of ['https://evil.example', 'null', `${ORIGIN}0`]) {
    const crossing = {
      cookie,
      headers: { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    };
    expect(await signIn(auth, PASSWORD, crossing), origin).toMatchObject({
      status: 403,
      body: { codice: 'FORBIDDEN_ORIGIN' },
    });
    expect(await post(auth, '/sign-out', {}, crossing), origin).toMatchObject({ status: 403 });
  }
  expect((await whoIs(auth, cookie)).body).toEqual({ email: EMAIL });
});

test('nothing else of better-auth can be reached', async () => {
  const { cookie } = await register(auth);
  const all = betterAuthOn(database);
  const endpoints = Object.values(
    all.api as unknown as Record<string, { path?: string; options?: { method?: string | string[] } }>,
  );
  const paths = endpoints.flatMap(({ path, options }) =>
    path === undefined
      ? []
      : [options?.method ?? ['GET', 'POST']].flat().map((method) => [method, path] as const),
  );
  expect(paths.length).toBeGreaterThan(25);
  let closed = 0;
  for (const [method, path] of paths) {
    if (path in AUTH_ROUTES) continue;
    const answer = await ask(auth, path, method === 'GET' ? undefined : {}, { method, cookie });
    expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { codice: 'NOT_FOUND' } });
    closed += 1;
  }
  expect(closed).toBeGreaterThan(20);
  expect(await ask(auth, '/sign-in/email', undefined, { cookie })).toMatchObject({ status: 405 });
  for (const path of ['', '/', '/sign-in', '/sign-in/email/', '//sign-out', '/constructor', '/__proto__']) {
    expect((await post(auth, path, {}, { cookie })).status, path).toBe(404);
  }
});

test('the tables are what this version of better-auth expects', async () => {
  const { options } = betterAuthOn(database);
  const { toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems } = await getMigrations(options);
  expect({ toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems }).toEqual({
    toBeCreated: [],
    toBeAdded: [],
    toBeAddedIndexes: [],
    schemaProblems: [],
  });
});

test('bad input is refused and changes nothing', async () => {
  const bad = [
    null,
    [],
    'x',
    7,
    {},
    { email: EMAIL },
    { email: 7, password: PASSWORD },
    { email: EMAIL, password: [PASSWORD] },
    { email: EMAIL, password: PASSWORD, seat: 1 },
    { email: EMAIL, password: PASSWORD, callbackURL: 'https://evil.example' },
    { email: 'non una e-mail', password: PASSWORD },
    { email: `${EMAIL}\0`, password: PASSWORD },
    { email: `${'a'.repeat(300)}@example.org`, password: PASSWORD },
  ];
  for (const body of bad) {
    const answer = await post(auth, '/sign-up/email', body, elsewhere());
    expect(answer, JSON.stringify(body)).toMatchObject({
      status: 400,
      body: { codice: 'BAD_INPUT', messaggio: 'Dati non validi.' },
    });
  }
  expect(await authTables(database)).toEqual({ users: 0, accounts: 0, sessions: 0 });
});

test('no password and no session ever appears in a body or in the log', async () => {
  const { cookie } = await register(auth);
  await signIn(auth);
  await signIn(auth, 'sbagliata-canarino');
  await register(auth, { email: 'x@example.org' });
  await whoIs(auth, cookie);
  await remembered(
    post(auth, '/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, { cookie }),
  );
  const tokens = seen.flatMap(({ headers }) =>
    headers.getSetCookie().map((line) => /session_token=(\w+)/.exec(line)?.[1] ?? ''),
  );
  const secrets = [PASSWORD, NEW_PASSWORD, 'sbagliata-canarino', ...tokens.filter((token) => token !== '')];
  expect(secrets.length).toBeGreaterThan(5);
  const written = [...seen.map(({ text }) => text), auth.logged()].join('\n');
  for (const secret of secrets) expect(written).not.toContain(secret);
});

function betterAuthOn({ db, inTransaction, env }: TestDatabase) {
  const log = pino({ level: 'silent' });
  return createBetterAuth(
    { db, inTransaction, env: readEnv(env), log, now: () => new Date() },
    Buffer.alloc(32),
  );
}
