import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errorSentences } from '../../src/texts/errors.ts';
import { ask, authOn, authTables, post, type TestAuth } from '../support/auth.ts';
import { bundledProgram, spawnBundled } from '../support/bundled.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { ok, signUp } from '../support/http-evening.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder, startServer } from '../support/server.ts';

const ACCOUNT = { email: 'anna@example.org', password: 'una frase molto lunga 7' };

/** A call of a page that was opened under this name. */
async function askUnder(url: string, host: string, path: string, body?: unknown) {
  const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request(`${url}/api${path}`, { method, headers });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

test('without an address of its own nobody registers under a name but with the code of the installation', async () => {
  const server = await startServer();
  const { port } = new URL(server.url);
  const named = `evil.example:${port}`;
  const door = async (host: string) => (await askUnder(server.url, host, '/admin/registration')).body;
  const register = (extra: object) =>
    askUnder(server.url, named, '/auth/sign-up/email', { ...ACCOUNT, ...extra });
  for (const name of ['evil.example', 'nas.local', 'localhost.evil.example', '127.0.0.1.evil.example'])
    expect(await door(`${name}:${port}`), name).toEqual({
      registration_open: true,
      first: true,
      setup_code_required: true,
      restorable: true,
    });
  for (const extra of [{}, { setup_code: 'ABCDEFGH' }]) {
    const refused = await register(extra);
    expect([refused.status, refused.body.codice]).toEqual([403, 'SETUP_CODE_WRONG']);
  }
  for (const name of ['127.0.0.1', 'localhost', '192.168.1.5', '[::1]'])
    expect((await door(`${name}:${port}`)).setup_code_required, name).toBe(false);
  const setup_code = server.deps.auth.setupCode(named);
  expect(setup_code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
  expect((await register({ setup_code })).status).toBe(200);
  expect(await door(named)).toMatchObject({ first: false, setup_code_required: false });
  await server.stop();
});

test('the code is printed at a start without an administrator, and only there', async () => {
  const dataDir = await newFolder();
  const printed = /^Codice di installazione: [2-9A-HJ-NP-Z]{8} /m;
  const first = await spawnBundled({ dataDir });
  await expect.poll(first.output).toMatch(printed);
  await signUp(first);
  await first.end('SIGTERM');
  const second = await spawnBundled({ dataDir });
  await second.end('SIGTERM');
  expect(second.output()).not.toMatch(printed);
  await rm(dataDir, { recursive: true, force: true });
});

test.each([undefined, 'http://127.0.0.1:3000'])(
  'the pages learn the site’s own address from the installation, and whether they open on registering: %s',
  async (PUBLIC_URL) => {
    const env = PUBLIC_URL === undefined ? undefined : { PUBLIC_URL, REGISTRATION: 'open' };
    const server = await startServer({ ...(env && { env }) });
    const first = async () => ok(await call(server.url, 'GET', '/admin/registration')).body.first;
    expect(await first()).toBe(PUBLIC_URL === undefined);
    const headers = { origin: PUBLIC_URL ?? server.url };
    const { cookie } = ok(await call(server.url, 'POST', '/auth/sign-up/email', ACCOUNT, { headers }));
    expect(await first()).toBe(false);
    expect(ok(await call(server.url, 'GET', '/admin/me', undefined, { cookie })).body).toEqual({
      email: ACCOUNT.email,
      public_url: PUBLIC_URL ?? null,
      unnamed_proxy: null,
      max_video_bytes: 2 * 1024 ** 3,
    });
    await server.stop();
  },
);

describe('reset-password', () => {
  const EMAIL = 'chi.prepara@example.org';
  const PASSWORD = 'canarino-giallo-8472';
  let database: TestDatabase;
  let auth: TestAuth;
  let cookie: string;
  beforeEach(async () => {
    database = await sqliteDatabase();
    auth = await authOn(database);
    ({ cookie } = await post(auth, '/sign-up/email', { email: EMAIL, password: PASSWORD }));
  });
  afterEach(() => database.drop());

  /** Runs `sorpresa reset-password`, next to the open database. */
  async function reset(args: string[], typed: string, env: object = database.env) {
    const child = spawn(process.execPath, [await bundledProgram(), 'reset-password', ...args], {
      env: { ...PROCESS_ENV, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.stdin.end(typed);
    return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
      child.once('error', reject).once('close', (code) => resolve({ code, output }));
    });
  }
  const statusOf = async (password: string, address: string) =>
    (await post(auth, '/sign-in/email', { email: EMAIL, password }, { address })).status;

  test('changes the password, ends every session and lets the right one in at once', async () => {
    for (let i = 0; i < 5; i += 1) expect(await statusOf('indovino?', '10.0.1.1')).toBe(401);
    const typed = await reset([` ${EMAIL.toUpperCase()}`], 'una nuova, più lunga\n');
    expect(typed.code, typed.output).toBe(0);
    expect(typed.output).not.toContain('una nuova');
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 0 });
    expect((await ask(auth, '/get-session', undefined, { cookie })).body).toBeNull();
    expect(await statusOf('una nuova, più lunga', '10.0.1.1')).toBe(200);
    expect(await statusOf(PASSWORD, '10.0.1.3')).toBe(401);
    const made = await reset([EMAIL], '');
    const password = /Nuova password: (\S+)/.exec(made.output)?.[1] ?? '';
    expect(made.code, made.output).toBe(0);
    expect(await statusOf(password, '10.0.1.4')).toBe(200);
  });

  test('refuses a weak password and an unknown e-mail, and changes nothing; it says where no database is', async () => {
    const typed = 'una nuova, più lunga\n';
    const elsewhere = `${database.env.DATA_DIR}/none`;
    const [weak, unknown, nobody, none] = await Promise.all([
      reset([EMAIL], 'corta\n'),
      reset(['nessuno@example.org'], typed),
      reset([], ''),
      reset([EMAIL], typed, { DATA_DIR: elsewhere }),
    ]);
    expect(weak).toEqual({ code: 1, output: `${errorSentences.WEAK_PASSWORD}\n` });
    expect([unknown.code, nobody.code, none.code]).toEqual([1, 2, 1]);
    expect(none.output).toContain(elsewhere);
    expect(none.output).toContain('indica con DATA_DIR la cartella che usa il server');
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 1 });
    expect(await statusOf(PASSWORD, '10.0.0.9')).toBe(200);
  });
});
