import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { spawnBundled } from '../support/bundled.ts';
import { call } from '../support/http.ts';
import { ok, signUp } from '../support/http-evening.ts';
import { newFolder, startServer } from '../support/server.ts';

test('without an address of its own nobody registers under a name but with the code of the installation', async () => {
  const server = await startServer();
  const account = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
  const { port } = new URL(server.url);
  const under = (name: string) => `${name}:${port}`;
  const named = under('evil.example');
  try {
    for (const host of [
      named,
      under('nas.local'),
      under('localhost.evil.example'),
      under('127.0.0.1.evil.example'),
    ]) {
      expect((await askUnder(server.url, host, 'GET', '/admin/registration')).body, host).toEqual({
        registration_open: true,
        first: true,
        setup_code_required: true,
        restorable: true,
      });
    }
    for (const body of [account, { ...account, setup_code: 'ABCDEFGH' }]) {
      const refused = await askUnder(server.url, named, 'POST', '/auth/sign-up/email', body);
      expect([refused.status, refused.body.codice]).toEqual([403, 'SETUP_CODE_WRONG']);
    }
    for (const host of [under('127.0.0.1'), under('localhost'), under('192.168.1.5'), `[::1]:${port}`])
      expect(
        (await askUnder(server.url, host, 'GET', '/admin/registration')).body.setup_code_required,
        host,
      ).toBe(false);
    const setup_code = server.deps.auth.setupCode(named);
    expect(setup_code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
    const registered = await askUnder(server.url, named, 'POST', '/auth/sign-up/email', {
      ...account,
      setup_code,
    });
    expect(registered.status).toBe(200);
    expect((await askUnder(server.url, named, 'GET', '/admin/registration')).body.setup_code_required).toBe(
      false,
    );
  } finally {
    await server.stop();
  }
});

test('the code is printed at a start without an administrator, and is the same at the next', async () => {
  const dataDir = await newFolder();
  const printed = /^Codice di installazione: (\S+) /m;
  const first = await spawnBundled({ dataDir });
  await expect.poll(first.output).toMatch(printed);
  await first.end('SIGTERM');
  const second = await spawnBundled({ dataDir });
  await expect.poll(second.output).toMatch(printed);
  expect(printed.exec(second.output())?.[1]).toBe(printed.exec(first.output())?.[1]);
  await signUp(second);
  await second.end('SIGTERM');
  const third = await spawnBundled({ dataDir });
  await third.end('SIGTERM');
  expect(third.output()).not.toMatch(printed);
  await rm(dataDir, { recursive: true, force: true });
});

/** A call of a page that was opened under this name. */
async function askUnder(url: string, host: string, method: string, path: string, body?: unknown) {
  const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' };
  const sent = request(`${url}/api${path}`, { method, headers });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

test.each([undefined, 'http://127.0.0.1:3000'])(
  'the pages learn the site’s own address from the installation: %s',
  async (PUBLIC_URL) => {
    const server = await startServer({ env: PUBLIC_URL === undefined ? {} : { PUBLIC_URL } });
    try {
      const origin = PUBLIC_URL ?? server.url;
      const headers = { origin };
      const account = { email: 'anna@example.org', password: 'una frase molto lunga 7', name: 'Anna' };
      const { cookie } = ok(await call(server.url, 'POST', '/auth/sign-up/email', account, { headers }));
      expect(ok(await call(server.url, 'GET', '/admin/me', undefined, { cookie })).body).toEqual({
        email: account.email,
        public_url: PUBLIC_URL ?? null,
        unnamed_proxy: null,
        max_video_bytes: 2 * 1024 ** 3,
      });
    } finally {
      await server.stop();
    }
  },
);

test.each([
  [{}, true, false],
  [{ REGISTRATION: 'open' }, false, false],
])(
  'the door opens on registering while only the first may and nobody has: %j',
  async (env, before, after) => {
    const server = await startServer({ env });
    try {
      const first = async () => ok(await call(server.url, 'GET', '/admin/registration')).body.first;
      expect(await first()).toBe(before);
      await signUp(server);
      expect(await first()).toBe(after);
    } finally {
      await server.stop();
    }
  },
);
