import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/server/http/api.ts';
import { call, raw, type Sending } from '../support/http.ts';
import { type Evening, prepareEvening } from '../support/http-evening.ts';
import { configRow, tokenRow } from '../support/rows.ts';
import { startServer, type TestServer } from '../support/server.ts';

const PUBLIC = 'https://sorpresa.example';

let server: TestServer;
/** A server with a PUBLIC_URL behind a proxy that it trusts. */
let publicServer: TestServer;
let evening: Evening;
beforeAll(async () => {
  server = await startServer();
  publicServer = await startServer({ env: { PUBLIC_URL: PUBLIC, TRUSTED_PROXIES: '127.0.0.1' } });
  evening = await prepareEvening(server);
  const { db } = publicServer.deps;
  await db
    .insertInto('admin_config')
    .values({ ...configRow(1), video_url: `/api/media/${'0'.repeat(32)}.mp4` })
    .execute();
  await db.insertInto('tokens').values(tokenRow('ABCDEFGH')).execute();
});
afterAll(async () => {
  await server.stop();
  await publicServer.stop();
});

const resume = (body: unknown = {}, headers: Record<string, string> = {}) =>
  call(server.url, 'POST', '/visit/resume', body, { headers });
const fetchApi = (path: string, init: RequestInit = {}) => fetch(`${server.url}/api${path}`, init);
const head = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const CLOSE = 'Connection: close';

function changing({ path, method }: Endpoint): { method: string; path: string }[] {
  if (method === 'GET' || method === 'HEAD') return [];
  return [{ method, path: path.replace('{id}', randomUUID()).replace('{slot}', 'video') }];
}
const mutating = () => server.app.endpoints.flatMap(changing);
/** Uploads are not JSON: they read their bodies themselves. */
const readingJson = () => server.app.endpoints.filter(({ body }) => body !== 'own').flatMap(changing);

describe('changing request', () => {
  test('is refused on every call without an origin', async () => {
    for (const { method, path } of mutating()) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetchApi(path, { method, headers, body: '{}' });
      expect([path, response.status, await response.json()]).toEqual([
        path,
        403,
        { codice: 'FORBIDDEN_ORIGIN', messaggio: 'Richiesta non consentita.' },
      ]);
    }
  });

  test('is refused from every origin but the site’s own, which is the PUBLIC_URL if there is one', async () => {
    const { origin, host, hostname } = new URL(server.url);
    const strangers = ['null', `${origin}.evil.example`, `http://sub.${host}`, `http://${hostname}:1`];
    for (const stranger of strangers)
      expect((await resume({}, { origin: stranger })).status, stranger).toBe(403);
    expect((await resume()).status).toBe(401);
    const published = async (from: string) =>
      (await call(publicServer.url, 'POST', '/visit/resume', {}, { headers: { origin: from } })).status;
    for (const stranger of [publicServer.url, 'http://sorpresa.example', `${PUBLIC}:8443`])
      expect(await published(stranger), stranger).toBe(403);
    expect(await published(PUBLIC)).toBe(401);
  });

  test('is accepted as a beacon without an origin if the browser marks it as same-origin', async () => {
    const beacon = async (site: string, path = '/visit/track-user-exit') => {
      const headers = { 'content-type': 'text/plain', origin: 'null', 'sec-fetch-site': site };
      return (await call(server.url, 'POST', path, '{}', { headers })).status;
    };
    expect(await beacon('same-origin')).toBe(400);
    expect(await beacon('same-site')).toBe(403);
    expect(await beacon('same-origin', '/visit/resume')).toBe(403);
  });
});

describe('request body', () => {
  const own = () => ({ origin: new URL(server.url).origin });

  test.each<[string, Record<string, string>, number]>([
    ['multipart/form-data; boundary=x', {}, 415],
    ['application/json; charset=utf-16', {}, 415],
    ['application/json', { 'content-encoding': 'gzip' }, 415],
    ['Application/JSON; charset="UTF-8"; x=y', {}, 401],
  ])('answers the type %s, with %o, by %i', async (type, headers, status) => {
    expect((await resume('{}', { 'content-type': type, ...headers })).status).toBe(status);
  });

  test('is read up to 64 kB, announced or in chunks', async () => {
    const padded = (length: number) => `{}${' '.repeat(length - 2)}`;
    expect((await resume(padded(65_536))).status).toBe(401);
    expect(await resume(padded(65_537))).toMatchObject({
      status: 413,
      body: { codice: 'BODY_TOO_LARGE', messaggio: 'Dati troppo grandi.' },
    });
    const chunked = await fetchApi('/visit/resume', {
      method: 'POST',
      headers: { ...own(), 'content-type': 'application/json' },
      body: new Blob([padded(200_000)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test('is refused by every call if it is no JSON', async () => {
    for (const { method, path } of readingJson()) {
      const headers = { ...own(), 'content-type': 'text/plain' };
      const { status } = await fetchApi(path, { method, headers, body: '{}' });
      expect([path, status]).toEqual([path, path === '/visit/track-user-exit' ? 400 : 415]);
    }
  });
});

describe('API address', () => {
  test('returns 404 if it does not exist', async () => {
    for (const path of ['/nope', '/', '/site/', '/SITE', '/admin', '/auth/list-accounts', '/media'])
      for (const method of ['GET', 'POST']) {
        const { status, body } = await call(server.url, method, path, method === 'GET' ? undefined : {});
        const notFound = { codice: 'NOT_FOUND', messaggio: 'Elemento non trovato.' };
        expect([path, status, body]).toEqual([path, 404, notFound]);
      }
  });

  test('refuses another method with 405 and lists its own', async () => {
    for (const [path, here] of Map.groupBy(server.app.endpoints, (endpoint) => endpoint.path)) {
      const methods = here.map(({ method }) => method);
      const address = path
        .replace('{id}', randomUUID())
        .replace('{file}', `${'0'.repeat(32)}.mp4`)
        .replace('{viaggio}', '1');
      const known = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
      const others = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
      const refused = others.filter((method) => !known.includes(method));
      for (const response of await Promise.all(refused.map((method) => fetchApi(address, { method })))) {
        expect(response.status, path).toBe(405);
        expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual([...known].toSorted());
      }
    }
  });

  test('answers HEAD like GET, without a body', async () => {
    for (const path of ['/site', '/admin/config', '/admin/media/video', '/rehearsal']) {
      const [short, whole] = [await call(server.url, 'HEAD', path), await call(server.url, 'GET', path)];
      expect([path, short.status, short.text]).toEqual([path, whole.status, '']);
      expect(short.headers.get('content-type')).toBe(whole.headers.get('content-type'));
    }
  });
});

describe('requested host', () => {
  const status = async (host: string, path = '/api/site', { url } = publicServer) =>
    (await raw(url, head([`GET ${path} HTTP/1.1`, `Host: ${host}`, CLOSE]))).slice(9, 12);

  test.each([
    ['SORPRESA.example:443', '200'],
    ['sorpresa.example:8443', '421'],
    ['localhost:3000', '200'],
    ['[::1]:80', '200'],
    ['sorpresa.example.evil.example', '421'],
    ['www.sorpresa.example', '308'],
    ['sorpresa.example.', '308'],
    ['www.evil.example', '421'],
  ])('must be that of the PUBLIC_URL or this machine: %s returns %s', async (host, expected) => {
    expect(await status(host)).toBe(expected);
  });

  test('is unrestricted without a PUBLIC_URL and for health checks, but must be readable', async () => {
    expect(await status('evil.example', '/api/site', server)).toBe('200');
    for (const path of ['/healthz', '/readyz']) expect(await status('10.0.0.7:3000', path)).toBe('200');
    expect(await status('10.0.0.7:3000', '/')).toBe('421');
    for (const host of ['evil.example/sorpresa.example', 'x@sorpresa.example'])
      expect(['400', '421'], host).toContain(await status(host));
  });
});

describe('malformed HTTP', () => {
  test.each<[string, string]>([
    ['words', 'hello\r\n\r\n'],
    ['no host', head(['GET / HTTP/1.1', CLOSE])],
    ['64 kB of headers', head(['GET / HTTP/1.1', 'Host: x', `X: ${'a'.repeat(65_536)}`])],
    ['two hosts', head(['GET /api/site HTTP/1.1', 'Host: x', 'Host: x', CLOSE])],
    ['a host of five numbers', head(['GET /api/site HTTP/1.1', 'Host: 1.2.3.4.5', CLOSE])],
    ['a backslash', head(['GET /..\\..\\x HTTP/1.1', 'Host: x', CLOSE])],
  ])('returns one 400 with every header: %s', async (_name, text) => {
    const answer = await raw(server.url, text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(answer.toLowerCase()).toContain('content-security-policy: ');
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(answer).toContain('"codice":"BAD_INPUT"');
    expect(server.logged()).not.toMatch(/"level":(50|60)/);
  });

  test('returns 400 after another response, but never in place of a pending one', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const closed = once(socket, 'close');
    let received = '';
    socket.on('data', (chunk) => void (received += chunk.toString()));
    socket.write(head(['GET /healthz HTTP/1.1', 'Host: x']));
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 200 [^]*}$/);
    socket.write('hello\r\n\r\n');
    await closed;
    expect(received).toMatch(/HTTP\/1\.1 400 /);
    const owed = await raw(server.url, `${head(['GET /api/site HTTP/1.1', 'Host: x'])}hello\r\n\r\n`);
    expect(owed).not.toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('entering client', () => {
  const entering = (token = 'ROM-XXXXXXXX') => ({ token, attempt_id: randomUUID(), device_id: 'd' });
  const enter = ({ url }: TestServer, body: object, sending: Sending = {}) =>
    call(url, 'POST', '/access', body, sending);
  const counters = async ({ deps }: TestServer) =>
    (await deps.db.selectFrom('rate_limits').select('key').where('key', 'like', 'try:code:%').execute())
      .length;
  const COOKIE = 'sid_[0-9a-f]{8}=[\\w-]{43}; Max-Age=86400; Path=/; HttpOnly; ';

  test('has one count of wrong codes regardless of its headers, and a separate one behind a trusted proxy', async () => {
    for (const address of ['203.0.113.1', '203.0.113.2', '198.51.100.1, 203.0.113.2']) {
      const headers = { 'x-forwarded-for': address, 'cf-connecting-ip': address };
      expect((await enter(server, entering(), { headers })).status).toBe(403);
      const published = { headers: { ...headers, origin: PUBLIC } };
      expect((await enter(publicServer, entering(), published)).status).toBe(403);
    }
    expect([await counters(server), await counters(publicServer)]).toEqual([1, 2]);
  });

  test('receives a cookie for this host only over https, and never the value it sent', async () => {
    const plain = await enter(server, entering(evening.token.token));
    expect(plain.headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^${COOKIE}SameSite=Lax$`)),
    ]);
    const headers = { origin: PUBLIC };
    const brought = `__Host-sid_${publicServer.deps.cookieId}=${'a'.repeat(43)}`;
    const answer = await enter(publicServer, entering('ROM-ABCDEFGH'), { headers, cookie: brought });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^__Host-${COOKIE}Secure; SameSite=Lax$`)),
    ]);
    const resumed = async (cookie: string) =>
      (await call(publicServer.url, 'POST', '/visit/resume', {}, { headers, cookie })).status;
    expect([await resumed(brought), await resumed(answer.cookie)]).toEqual([401, 200]);
  });
});
