import { readdir, stat } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { signUp, store } from '../support/http-evening.ts';
import {
  askHttp,
  askHttps,
  type HttpsFixture,
  type HttpsServer,
  httpsFixture,
  movableClock,
  NAME,
  openHttps,
  servedAs,
  startHttpsServer,
} from '../support/https.ts';

/** Against Let's Encrypt's test server, which refuses what the real one refuses. */

const HOUR_MS = 3_600_000;
const OTHER = `www.${NAME}`;
const ACCOUNT = { email: 'anna@example.org', password: 'una frase molto lunga 7' };

let ground: HttpsFixture;
let server: HttpsServer;
const clock = movableClock();
beforeAll(async () => {
  ground = await httpsFixture({ seconds: 6 * 3_600 });
  const more = { HTTPS_DOMAIN: `${NAME}, ${OTHER}` };
  server = await startHttpsServer(ground, { now: clock.now, more });
  await signUp(server);
});
afterAll(async () => {
  await server.stop();
  await ground.end();
});

const address = () => `https://${NAME}:${ground.httpsPort}`;
/** Signs in over https from a page of this origin. Returns the status and the cookies. */
async function signIn(origin = address()) {
  const { status, headers } = await askHttps(ground, {
    path: '/api/auth/sign-in/email',
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  });
  return { status, cookies: headers['set-cookie'] ?? [] };
}

test('has a certificate for all names, and redirects other names and http to the site address', async () => {
  expect(server.state()).toMatchObject({ names: [NAME, OTHER], trouble: null });
  const site = await askHttps(ground, { path: '/api/admin/registration' });
  expect([site.status, site.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  expect(await servedAs(ground, OTHER)).toBe(await servedAs(ground, NAME));
  const headers = { host: `${OTHER}:${ground.httpsPort}` };
  const read = await askHttps(ground, { path: '/a?b=c', servername: OTHER, headers });
  expect([read.status, read.headers.location]).toEqual([308, `${address()}/a?b=c`]);
  const sent = await askHttps(ground, { path: '/api/access', servername: OTHER, headers, method: 'POST' });
  expect(sent.status).toBe(421);
  for (const host of [NAME, OTHER, `${NAME}:80`]) {
    const plain = await askHttp(ground, { path: '/admin?a=1', headers: { host } });
    expect([host, plain.status, plain.headers.location]).toEqual([host, 308, `${address()}/admin?a=1`]);
    expect(plain.headers['strict-transport-security']).toBeUndefined();
  }
  const posted = await askHttp(ground, { path: '/api/access', method: 'POST', body: '{}' });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
  const path = '/.well-known/acme-challenge/nobody-asked';
  expect((await askHttp(ground, { path })).status).toBe(404);
});

test('stores keys for its own user only, and logs none', async () => {
  const folder = join(server.deps.env.DATA_DIR, 'https');
  const files = (await readdir(folder)).toSorted();
  expect(files).toEqual([expect.stringMatching(/^account-\w{12}\.json$/), 'certificate.pem', 'last.json']);
  for (const file of files) expect((await stat(join(folder, file))).mode & 0o777, file).toBe(0o600);
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect(server.logged()).not.toContain('PRIVATE KEY');
});

test('refuses other names and hosts over https, over http and on the local port', async () => {
  for (const name of ['altro.example', 'localhost', `x.${NAME}`, undefined])
    expect(await servedAs(ground, name)).toMatch(/^refused: /);
  // Upper case doesn't matter.
  expect(await servedAs(ground, NAME.toUpperCase())).toBe(await servedAs(ground, NAME));
  for (const host of ['altro.example', 'localhost', '127.0.0.1', `${NAME}.altro.example`]) {
    expect((await askHttps(ground, { headers: { host } })).status, host).toBe(421);
    expect((await askHttp(ground, { headers: { host } })).status, host).toBe(421);
  }
  const httpPort = Number(new URL(server.url).port);
  for (const host of ['altro.example', NAME, `${NAME}:${ground.httpsPort}`])
    expect((await askHttp({ httpPort }, { headers: { host } })).status, host).toBe(421);
  await expect(askHttp({ httpPort: ground.httpsPort })).rejects.toThrow();
  expect((await askHttps(ground)).status).toBeLessThan(500);
});

test('signs in over plain http on the local port, and accepts its own pages only', async () => {
  expect(new URL(server.url).hostname).toBe('127.0.0.1');
  const url = server.url.replace('127.0.0.1', 'localhost');
  const { status, cookie, headers } = await call(url, 'POST', '/auth/sign-in/email', ACCOUNT);
  expect(status).toBe(200);
  expect(headers.getSetCookie().join('\n')).not.toMatch(/Secure|__Host|__Secure/);
  expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
  const me = await call(url, 'GET', '/admin/me', undefined, { cookie });
  expect(me.body).toMatchObject({ email: ACCOUNT.email, public_url: address() });
  const signedOut = async (origin: string) =>
    (await call(server.url, 'POST', '/auth/sign-out', {}, { headers: { origin } })).status;
  const statuses = ['http://altro.example', address(), server.url].map(signedOut);
  expect(await Promise.all(statuses)).toEqual([403, 403, 200]);
  // At the same time https has cookies that http can't set or read.
  const byHttps = await signIn();
  expect(byHttps.status).toBe(200);
  expect(byHttps.cookies.every((each) => /^__(Host|Secure)-.*; Secure/.test(each))).toBe(true);
  expect((await signIn(server.url)).status).toBe(403);
});

test('is renewed in the last third of its validity, without interrupting a film or refusing a request', async () => {
  const megabyte = Buffer.alloc(2 ** 20, 7);
  const film = await store(server, 'lungo.mp4', Readable.from(Array.from({ length: 32 }, () => megabyte)));
  const before = await servedAs(ground, NAME);
  const { valid_until } = server.state();
  clock.advance(3.9 * HOUR_MS);
  expect((await server.look()).valid_until).toBe(valid_until);
  expect(await servedAs(ground, NAME)).toBe(before);
  clock.advance(0.2 * HOUR_MS);
  const cookie = (await signIn()).cookies.map((each) => each.split(';')[0]).join('; ');
  const watched = await openHttps(ground, { path: film.url, headers: { cookie } });
  expect(watched.statusCode).toBe(200);
  const bytes = watched[Symbol.asyncIterator]();
  let seen = ((await bytes.next()).value as Buffer).length;
  let renewed = false;
  const renewing = server.look().finally(() => (renewed = true));
  const statuses = new Set<number | undefined>();
  // Over one persistent connection, and over new ones.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const path = '/api/admin/registration';
  while (!renewed)
    for (const options of [{ agent }, {}])
      statuses.add((await askHttps(ground, { path, ...options })).status);
  await renewing;
  statuses.add((await askHttps(ground, { path, agent })).status);
  agent.destroy();
  expect([[...statuses], server.state().trouble]).toEqual([[200], null]);
  expect(await servedAs(ground, NAME)).not.toBe(before);
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next())
    seen += (next.value as Buffer).length;
  expect(seen).toBe(32 * 2 ** 20);
});
