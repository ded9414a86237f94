import { readdir, stat } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { signUp, store } from '../support/http-evening.ts';
import {
  askHttp,
  askHttps,
  type HttpsGround,
  type HttpsServer,
  httpsGround,
  movableClock,
  NAME,
  openHttps,
  servedAs,
  startHttpsServer,
} from '../support/https.ts';

/** Against Let's Encrypt's own test server: what it refuses a real one refuses. */

const HOUR_MS = 3_600_000;
const OTHER = `www.${NAME}`;

let ground: HttpsGround;
let server: HttpsServer;
const clock = movableClock();

beforeAll(async () => {
  ground = await httpsGround({ seconds: 6 * 3_600 });
  server = await startHttpsServer(ground, {
    now: clock.now,
    more: { HTTPS_DOMAIN: `${NAME}, ${OTHER}` },
  });
  await signUp(server);
});
afterAll(async () => {
  await server.stop();
  await ground.end();
});

const address = () => `https://${NAME}:${ground.httpsPort}`;

describe('a certificate by itself', () => {
  test('is there for all of its names, and the site answers under it', async () => {
    expect(server.state()).toMatchObject({ names: [NAME, OTHER], trouble: null });
    const { status, headers } = await askHttps(ground, { path: '/api/admin/registration' });
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(await servedAs(ground, OTHER)).toBe(await servedAs(ground, NAME));
  });

  test('another of its names leads to the site’s address, for whoever reads', async () => {
    const headers = { host: `${OTHER}:${ground.httpsPort}` };
    const read = await askHttps(ground, { path: '/a?b=c', servername: OTHER, headers });
    expect([read.status, read.headers.location]).toEqual([308, `${address()}/a?b=c`]);
    const sent = await askHttps(ground, { path: '/api/access', servername: OTHER, headers, method: 'POST' });
    expect(sent.status).toBe(421);
  });

  test('http leads to https, and takes nothing', async () => {
    for (const host of [NAME, OTHER, `${NAME}:80`]) {
      const { status, headers } = await askHttp(ground, { path: '/admin?a=1', headers: { host } });
      expect([host, status, headers.location]).toEqual([host, 308, `${address()}/admin?a=1`]);
      expect(headers['strict-transport-security']).toBeUndefined();
    }
    const sent = await askHttp(ground, { path: '/api/access', method: 'POST', body: '{}' });
    expect([sent.status, sent.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('answers the authority only what it is asking', async () => {
    const path = '/.well-known/acme-challenge/nobody-asked';
    expect((await askHttp(ground, { path })).status).toBe(404);
  });

  test('keys are for nobody else, and in no log', async () => {
    const folder = join(server.deps.env.DATA_DIR, 'https');
    const files = await readdir(folder);
    const account = expect.stringMatching(/^account-\w{12}\.json$/);
    expect(files.toSorted()).toEqual([account, 'certificate.pem', 'last.json']);
    for (const file of files) expect((await stat(join(folder, file))).mode & 0o777, file).toBe(0o600);
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect(server.logged()).not.toContain('PRIVATE KEY');
  });
});

describe('a stranger', () => {
  test('asking for another name, or for none, gets no handshake', async () => {
    for (const name of ['altro.example', 'localhost', `x.${NAME}`, undefined])
      expect(await servedAs(ground, name)).toMatch(/^refused: /);
    // However it is written, it is ours.
    expect(await servedAs(ground, NAME.toUpperCase())).toBe(await servedAs(ground, NAME));
  });

  test('asking under another host is refused, by https, by http and at the machine’s own door', async () => {
    for (const host of ['altro.example', 'localhost', '127.0.0.1', `${NAME}.altro.example`]) {
      expect((await askHttps(ground, { headers: { host } })).status, host).toBe(421);
      expect((await askHttp(ground, { headers: { host } })).status, host).toBe(421);
    }
    const port = Number(new URL(server.url).port);
    for (const host of ['altro.example', NAME, `${NAME}:${ground.httpsPort}`])
      expect((await askHttp({ httpPort: port }, { headers: { host } })).status, host).toBe(421);
  });

  test('that speaks http to https, or nothing at all, takes nothing from the others', async () => {
    await expect(askHttp({ httpPort: ground.httpsPort })).rejects.toThrow();
    expect((await askHttps(ground)).status).toBeLessThan(500);
  });
});

describe('the machine’s own door', () => {
  test('is for this machine alone', () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });

  test('signs in by plain http, with cookies that it brings back, also under localhost', async () => {
    const url = server.url.replace('127.0.0.1', 'localhost');
    const body = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
    const { status, cookie, headers } = await call(url, 'POST', '/auth/sign-in/email', body);
    expect(status).toBe(200);
    expect(headers.getSetCookie().join('\n')).not.toMatch(/Secure|__Host|__Secure/);
    expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    const me = await call(url, 'GET', '/admin/me', undefined, { cookie });
    expect(me.body).toMatchObject({ email: 'anna@example.org', public_url: address() });
  });

  test('knows its own pages from others', async () => {
    const saved = (origin: string) => call(server.url, 'POST', '/auth/sign-out', {}, { headers: { origin } });
    expect((await saved('http://altro.example')).status).toBe(403);
    expect((await saved(address())).status).toBe(403);
    expect((await saved(server.url)).status).toBe(200);
  });

  test('beside it https has cookies that no http may set or read', async () => {
    const body = JSON.stringify({ email: 'anna@example.org', password: 'una frase molto lunga 7' });
    const path = '/api/auth/sign-in/email';
    const headers = (origin: string) => ({
      host: `${NAME}:${ground.httpsPort}`,
      origin,
      'content-type': 'application/json',
    });
    const signedIn = await askHttps(ground, { path, method: 'POST', body, headers: headers(address()) });
    expect(signedIn.status).toBe(200);
    const cookies = signedIn.headers['set-cookie'] ?? [];
    expect(cookies.every((cookie) => /^__(Host|Secure)-.*; Secure/.test(cookie))).toBe(true);
    const refused = await askHttps(ground, { path, method: 'POST', body, headers: headers(server.url) });
    expect(refused.status).toBe(403);
  });
});

/** Signs in by https; the cookies. */
async function signedIn(): Promise<string> {
  const { headers } = await askHttps(ground, {
    path: '/api/auth/sign-in/email',
    method: 'POST',
    headers: { origin: address(), 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'anna@example.org', password: 'una frase molto lunga 7' }),
  });
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

test('is renewed in the last third of its life: a film goes on, nobody is refused', async () => {
  const megabyte = Buffer.alloc(2 ** 20, 7);
  const content = Readable.from(Array.from({ length: 32 }, () => megabyte));
  const film = await store(server, 'lungo.mp4', content);
  const before = await servedAs(ground, NAME);
  const { valid_until } = server.state();

  clock.advance(3.9 * HOUR_MS);
  expect((await server.look()).valid_until).toBe(valid_until);
  expect(await servedAs(ground, NAME)).toBe(before);

  clock.advance(0.2 * HOUR_MS);
  const watched = await openHttps(ground, { path: film.url, headers: { cookie: await signedIn() } });
  expect(watched.statusCode).toBe(200);
  const bytes = watched[Symbol.asyncIterator]();
  let seen = ((await bytes.next()).value as Buffer).length;
  let renewed = false;
  const renewing = server.look().finally(() => {
    renewed = true;
  });
  const statuses = new Set<number | undefined>();
  // Over one connection that is kept, and over new ones.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!renewed) {
    statuses.add((await askHttps(ground, { path: '/api/admin/registration', agent })).status);
    statuses.add((await askHttps(ground, { path: '/api/admin/registration' })).status);
  }
  await renewing;
  statuses.add((await askHttps(ground, { path: '/api/admin/registration', agent })).status);
  agent.destroy();
  expect([...statuses]).toEqual([200]);
  expect(server.state().trouble).toBeNull();
  expect(await servedAs(ground, NAME)).not.toBe(before);
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next())
    seen += (next.value as Buffer).length;
  expect(seen).toBe(32 * 2 ** 20);
});
