import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { spawnBundled } from '../support/bundled.ts';
import { call } from '../support/http.ts';
import { ok, signUp } from '../support/http-evening.ts';
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
