import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/server/http/api.ts';
import { call, raw } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';

const PUBLIC = 'https://sorpresa.example';

let server: TestServer;
let published: TestServer;
beforeAll(async () => {
  server = await startServer();
  published = await startServer({ env: { PUBLIC_URL: PUBLIC } });
});
afterAll(async () => {
  await server.stop();
  await published.stop();
});

type Address = { method: string; path: string };

function changing({ path, method }: Endpoint): Address[] {
  if (method === 'GET' || method === 'HEAD') return [];
  return [{ method, path: path.replace('{id}', crypto.randomUUID()).replace('{slot}', 'video') }];
}

const mutating = () => server.app.endpoints.flatMap(changing);
/** Uploads are no JSON: they read their bodies themselves. */
const readingJson = () => server.app.endpoints.filter(({ body }) => body !== 'own').flatMap(changing);

describe('what changes something must come from our own pages', () => {
  const strangers: [string, (url: URL) => string | undefined][] = [
    ['none', () => undefined],
    ['null', () => 'null'],
    ['another site', () => 'https://evil.example'],
    ['a name that begins like ours', (url) => `${url.origin}.evil.example`],
    ['a name that ends like ours', (url) => `http://evil-${url.host}`],
    ['a sub-domain', (url) => `http://sub.${url.host}`],
    ['another port', (url) => `http://${url.hostname}:1`],
    ['another scheme', (url) => `ftp://${url.host}`],
    ['a path', (url) => `${url.origin}/`],
    ['empty', () => ''],
  ];
  test.each(strangers)('from %s: refused on every call', async (_name, originOf) => {
    const url = new URL(server.url);
    for (const { method, path } of mutating()) {
      for (const type of ['application/json', 'text/plain']) {
        const origin = originOf(url);
        const headers: Record<string, string> = {
          'content-type': type,
          ...(origin === undefined ? {} : { origin }),
        };
        const response = await fetch(`${server.url}/api${path}`, { method, headers, body: '{}' });
        expect(response.status, `${method} ${path} ${type}`).toBe(403);
        expect(await response.json()).toEqual({
          codice: 'FORBIDDEN_ORIGIN',
          messaggio: 'Richiesta non consentita.',
        });
      }
    }
  });

  test('with a PUBLIC_URL, from there and from nowhere else', async () => {
    const { host, origin } = new URL(published.url);
    for (const stranger of [
      origin,
      `https://${host}`,
      'http://sorpresa.example',
      `${PUBLIC}:8443`,
      'https://www.sorpresa.example',
    ]) {
      expect(
        (await call(published.url, 'POST', '/visit/resume', {}, { headers: { origin: stranger } })).status,
      ).toBe(403);
    }
    expect(
      (await call(published.url, 'POST', '/visit/resume', {}, { headers: { origin: PUBLIC } })).status,
    ).toBe(401);
  });

  test('a beacon whose origin the browser hides is believed when the browser itself says where it comes from', async () => {
    const beacon = (headers: Record<string, string>, path = '/visit/track-user-exit') =>
      call(server.url, 'POST', path, '{}', {
        headers: { 'content-type': 'text/plain', origin: 'null', ...headers },
      });
    expect((await beacon({ 'sec-fetch-site': 'same-origin' })).status).toBe(400);
    for (const site of ['cross-site', 'same-site', 'none', ''])
      expect((await beacon({ 'sec-fetch-site': site })).status).toBe(403);
    expect((await beacon({ 'sec-fetch-site': 'same-origin' }, '/visit/resume')).status).toBe(403);
  });
});

describe('the form of what is sent', () => {
  const own = () => ({ origin: new URL(server.url).origin });
  const refused: [string, Record<string, string>][] = [
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['JSON of a kind', { 'content-type': 'application/ld+json' }],
    ['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['nonsense', { 'content-type': ';;;' }],
    [
      'a file',
      { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="x"' },
    ],
  ];
  test.each(refused)('%s is not read, on any call', async (_name, headers) => {
    for (const { method, path } of readingJson()) {
      const response = await fetch(`${server.url}/api${path}`, {
        method,
        headers: { ...own(), ...headers },
        body: '{}',
      });
      const beacon = path === '/visit/track-user-exit' && headers['content-type'] === 'text/plain';
      expect(response.status, `${method} ${path}`).toBe(beacon ? 400 : 415);
    }
  });

  test('no type at all is refused, but for a DELETE without a body', async () => {
    for (const { method, path } of readingJson()) {
      const response = await fetch(`${server.url}/api${path}`, { method, headers: own() });
      expect(response.status, `${method} ${path}`).toBe(method === 'DELETE' ? 401 : 415);
    }
  });

  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; x=y',
  ])('%s is read', async (type) => {
    expect(
      (await call(server.url, 'POST', '/visit/resume', '{}', { headers: { 'content-type': type } })).status,
    ).toBe(401);
  });

  test('a body of 64 kB is read, one byte more is not, announced or in chunks', async () => {
    const padded = (length: number) => `{}${' '.repeat(length - 2)}`;
    expect((await call(server.url, 'POST', '/visit/resume', padded(65_536))).status).toBe(401);
    const announced = await call(server.url, 'POST', '/visit/resume', padded(65_537));
    expect([announced.status, announced.body]).toEqual([
      413,
      { codice: 'BODY_TOO_LARGE', messaggio: 'Dati troppo grandi.' },
    ]);
    const chunked = await fetch(`${server.url}/api/visit/resume`, {
      method: 'POST',
      headers: { ...own(), 'content-type': 'application/json' },
      body: new Blob([padded(200_000)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test('that breaks off is no mistake of ours, nor the database’s', async () => {
    const { host, hostname, port, origin } = new URL(server.url);
    const before = server.logged().length;
    const head = ['POST /api/access HTTP/1.1', `Host: ${host}`, `Origin: ${origin}`];
    for (const length of ['Content-Length: 50', 'Transfer-Encoding: chunked']) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const lines = [...head, 'Content-Type: application/json', length].join('\r\n');
      socket.write(`${lines}\r\n\r\n${length.includes('50') ? '{"tok' : '5\r\n{"tok\r\n'}`);
      await new Promise((written) => socket.write('', written));
      socket.destroy();
    }
    const since = () => server.logged().slice(before);
    await expect.poll(() => since().match(/"path":"\/api\/access"/g)?.length).toBe(2);
    expect(since()).not.toMatch(/unexpected error|unavailable|"level":(40|50)/);
  });

  const notJson: [string, string | Buffer][] = [
    ['nothing', ''],
    ['blank', '   '],
    ['a broken object', '{'],
    ['a byte-order mark', '\ufeff{}'],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a NUL', '{"a":"\\u0000"}'],
    ['half a pair', '{"a":"\\ud800"}'],
    ['depth', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['__proto__', '{"__proto__":{"a":1}}'],
    ['__proto__ further in', '{"a":[{"__proto__":null}]}'],
    ['1e309 and words', '{"a":NaN}'],
    ['a list', '[]'],
    ['lists in lists', '[[[[]]]]'],
    ['a list of what is asked for', '[{}]'],
    ['null', 'null'],
    ['a number', '7'],
    ['a text', '"{}"'],
  ];
  test.each(notJson)('%s is no input for any call', async (_name, body) => {
    for (const { method, path } of readingJson()) {
      const response = await fetch(`${server.url}/api${path}`, {
        method,
        headers: { ...own(), 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      });
      // An empty body is no body: some calls need none, and ask for a session first.
      const allowed = body === '' ? (path === '/auth/sign-out' ? [200] : [400, 401]) : [400];
      expect(allowed, `${method} ${path}`).toContain(response.status);
    }
  });
});

describe('what is not there', () => {
  test.each([
    '/nope',
    '/',
    '',
    '/site/',
    '//site',
    '/site/x',
    '/SITE',
    '/admin',
    '/admin/ready',
    '/auth',
    '/auth/ok',
    '/auth/list-accounts',
    '/auth/callback/x',
    '/visit',
    '/visit/events/',
    '/visit/tickets/3/biglietti.pdf',
    '/openapi',
    '/media',
  ])('/api%s is a 404 of the API', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await call(server.url, method, path, method === 'GET' ? undefined : {});
      expect([answer.status, answer.body]).toEqual([
        404,
        { codice: 'NOT_FOUND', messaggio: 'Elemento non trovato.' },
      ]);
    }
  });

  test('a method an address does not know is a 405 that names those it does', async () => {
    for (const [path, here] of Map.groupBy(server.app.endpoints, (endpoint) => endpoint.path)) {
      const methods = here.map(({ method }) => method);
      const address = path
        .replace('{id}', crypto.randomUUID())
        .replace('{file}', `${'0'.repeat(32)}.mp4`)
        .replace('{viaggio}', '1');
      const known = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
      for (const method of [
        'GET',
        'HEAD',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'PROPFIND',
        'QUERY',
      ]) {
        if (known.includes(method) || (path === '/visit/events' && method === 'GET')) continue;
        const response = await fetch(`${server.url}/api${address}`, { method });
        expect(response.status, `${method} ${path}`).toBe(405);
        expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual([...known].toSorted());
      }
    }
  });

  test('a call that reads is asked by HEAD, too: the same head without a body', async () => {
    for (const path of [
      '/site',
      '/admin/registration',
      '/admin/config',
      '/admin/media/video',
      '/rehearsal',
    ]) {
      const [head, whole] = [await call(server.url, 'HEAD', path), await call(server.url, 'GET', path)];
      expect([path, head.status, head.text]).toEqual([path, whole.status, '']);
      expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'));
    }
  });

  test('an expectation nobody knows is answered by us, with every header', async () => {
    const answer = await raw(
      server.url,
      'GET /api/site HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.toLowerCase()).toContain('content-security-policy: ');
  });

  test('TRACE and CONNECT are nothing here', async () => {
    const trace = await raw(
      server.url,
      'TRACE /api/site HTTP/1.1\r\nHost: x\r\nCookie: secret=1\r\nConnection: close\r\n\r\n',
    );
    expect(trace).toMatch(/^HTTP\/1\.1 405 /);
    expect(trace).not.toContain('secret');
    expect(await raw(server.url, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n')).toBe('');
  });
});

describe('the host that is asked', () => {
  const hosts = async (url: string, host: string, path = '/api/site') => {
    const { hostname, port } = new URL(url);
    return new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      );
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer.slice(9, 12)));
      socket.on('error', reject);
    });
  };

  test('with a PUBLIC_URL only its host and this machine are ours', async () => {
    for (const host of [
      'sorpresa.example',
      'SORPRESA.example',
      'sorpresa.example:443',
      'localhost:3000',
      '127.0.0.1',
      '[::1]:80',
    ]) {
      expect(await hosts(published.url, host), host).toBe(host.includes('443') ? '421' : '200');
    }
    for (const host of [
      'evil.example',
      'sorpresa.example.evil.example',
      'www.sorpresa.example',
      'localhost.evil.example',
      '127.0.0.2',
    ]) {
      expect(await hosts(published.url, host), host).toBe('421');
    }
    for (const host of ['', 'a b', 'evil.example/sorpresa.example', 'x@sorpresa.example', '%']) {
      expect(['400', '421'], host).toContain(await hosts(published.url, host));
    }
  });

  test('whether it is well, and how, is answered under any', async () => {
    for (const path of ['/healthz', '/readyz'])
      for (const host of ['10.0.0.7:3000', 'node-b.internal', 'sorpresa.example'])
        expect(await hosts(published.url, host, path), `${host}${path}`).toBe('200');
    expect(await hosts(published.url, '10.0.0.7:3000', '/')).toBe('421');
  });

  test('without one, any', async () => {
    expect(await hosts(server.url, 'evil.example')).toBe('200');
  });
});
