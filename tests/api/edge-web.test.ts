import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get as httpGet, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, prepareEvening } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { hashOfAllTables } from '../support/table-hash.ts';

const SCRIPT = `console.log('ciao');${'/* testo */'.repeat(200)}`;
/** As the build leaves it beside the file; at this level no server would make it by itself. */
const BUILT_GZIP = gzipSync(SCRIPT, { level: 1 });

let folder: string;
let server: TestServer;
let evening: Evening;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sorpresa-web-'));
  const web = join(folder, 'web');
  await mkdir(join(web, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'SEGRETO');
  await writeFile(
    join(web, 'index.html'),
    '<!doctype html><html lang="it"><title>index</title><meta property="og:image" content="/og.png" />',
  );
  await writeFile(
    join(web, 'app.html'),
    '<!doctype html><html lang="it"><title>app</title><meta name="theme-color" content="#170d16">',
  );
  await writeFile(
    join(web, 'admin.html'),
    '<!doctype html><title>admin</title><meta name="style-nonce" content="__NONCE__">',
  );
  await writeFile(join(web, 'assets/app-1a2b3c.js'), SCRIPT);
  await writeFile(join(web, 'assets/app-4d5e6f.js'), SCRIPT);
  await writeFile(join(web, 'assets/app-4d5e6f.js.gz'), BUILT_GZIP);
  await writeFile(join(web, 'assets/font.woff2'), 'wOF2');
  await writeFile(join(web, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(web, 'assets/app-1a2b3c.js.map'), '{}');
  await writeFile(join(web, 'assets/prova.m4a'), '0123456789');
  await writeFile(join(web, 'assets/prova.pdf'), '%PDF-1.7');
  server = await startServer({ webRoot: web });
  evening = await prepareEvening(server);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** The pages' policy, word for word. */
const policy = (styles = "style-src 'self'") =>
  `default-src 'none'; script-src 'self'; ${styles}; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; ` +
  "connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'";

type Got = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** Asks for exactly this path: nothing on the way tidies it up. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const asked = httpGet({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject);
  });
}

describe('pages', () => {
  const isAdmin = (page: string) => page.startsWith('/admin');

  test('/ is its own page, so are the administrator’s, the others share one; all ask again each time', async () => {
    for (const page of PAGES) {
      const { status, headers, body } = await get(page);
      const caching = isAdmin(page) ? 'no-store' : 'no-cache';
      expect([page, status, headers['cache-control']]).toEqual([page, 200, caching]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body.toString()).toContain(
        page === '/' ? '<title>index' : isAdmin(page) ? '<title>admin' : '<title>app',
      );
    }
    expect((await get('/experience/')).status).toBe(200);
    expect((await get('/experience?x=1')).status).toBe(200);
  });

  test('the administrator’s pages carry a nonce of their own in every answer, the visitor’s never one', async () => {
    const seen = new Set<string>();
    for (const page of PAGES.filter(isAdmin)) {
      for (const path of [page, page, `${page}/`, `${page}?x=1`]) {
        const { headers, body } = await get(path);
        const nonce = /'nonce-([^']{24})'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
        expect(seen.has(nonce), path).toBe(false);
        seen.add(nonce);
        expect(headers['content-security-policy']).toBe(policy(`style-src 'self' 'nonce-${nonce}'`));
        expect(body.toString()).toContain(`content="${nonce}"`);
        expect(headers.etag).toBeUndefined();
      }
    }
    expect((await get('/admin', {}, 'HEAD')).headers['content-security-policy']).toContain("'nonce-");
    for (const page of ['/', '/experience', '/nope', '/admin/nope', '/assets/app-1a2b3c.js', '/api/site']) {
      const { headers, body } = await get(page);
      expect(headers['content-security-policy'], page).toBe(policy());
      expect(body.toString(), page).not.toContain('nonce');
    }
  });

  test.each([
    '/nope',
    '/admin/nope',
    '/experience/more',
    '/index.html',
    '/app.html',
    '/admin.html',
    '/assets',
    '/assets/',
    '/assets/none.js',
    '/assets/app-1a2b3c.js.map',
    '/favicon.ico',
    '/ADMIN',
    '//',
    '/%',
  ])('%s is the 404 page', async (path) => {
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(body.toString()).toContain('<title>app</title>');
  });

  test('the picture of the preview has a whole address: the installation’s, or the host’s that is asked', async () => {
    const picture = async (host: string) =>
      /og:image" content="(.*?)"/.exec((await get('/', { host })).body.toString())?.[1];
    expect(await picture('sorpresa.example')).toBe('http://sorpresa.example/og.png');
    expect(await picture('[::1]:3000')).toBe('http://[::1]:3000/og.png');
    expect(await picture('a"><script>')).toBeUndefined();
    expect(await picture("a'b")).toBe('/og.png');
    // Many names make no many pages in memory, and every one is right.
    for (let n = 0; n < 20; n += 1)
      expect(await picture(`n${n}.example`)).toBe(`http://n${n}.example/og.png`);
    const first = await get('/', { host: 'sorpresa.example' });
    const etag = String(first.headers.etag);
    expect((await get('/', { host: 'sorpresa.example', 'if-none-match': etag })).status).toBe(304);
    expect((await get('/', { host: 'n1.example', 'if-none-match': etag })).status).toBe(200);
  });

  test('the pages wear the dress that is chosen, from their first painted pixel', async () => {
    const wear = (dress: 'notte' | 'alba') =>
      server.deps.db.updateTable('admin_config').set({ dress }).execute();
    expect((await get('/')).body.toString()).not.toContain('data-dress');
    const before = String((await get('/')).headers.etag);
    await wear('alba');
    const access = await get('/', { 'if-none-match': before });
    expect(access.status).toBe(200);
    expect(access.body.toString()).toContain('<html data-dress="alba" lang="it">');
    expect(access.body.toString()).toContain('/og-alba.png"');
    const shell = (await get('/experience')).body.toString();
    expect(shell).toContain('data-dress="alba"');
    expect(shell).toContain('content="#07161f"');
    await wear('notte');
    expect((await get('/')).headers.etag).toBe(before);
  });

  test('robots stay away, and only reading is possible', async () => {
    expect((await get('/robots.txt')).body.toString()).toBe('User-agent: *\nDisallow: /\n');
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await get('/', {}, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('a HEAD is a GET without its body', async () => {
    const [head, whole] = [await get('/', {}, 'HEAD'), await get('/')];
    expect(head.body.length).toBe(0);
    expect(head.headers['content-length']).toBe(String(whole.body.length));
  });

  test('link previews and their crawlers change nothing and learn nothing', async () => {
    const before = await hashOfAllTables(server.deps.db);
    for (const agent of [
      'WhatsApp/2.23',
      'TelegramBot (like TwitterBot)',
      'facebookexternalhit/1.1',
      'Googlebot/2.1',
    ]) {
      for (const page of ['/', '/experience', `/?codice=${evening.token.token}`]) {
        const { body, headers } = await get(page, { 'user-agent': agent });
        expect(body.toString()).not.toContain('/api/media/');
        expect(headers['x-robots-tag']).toBe('noindex, nofollow');
      }
    }
    expect(await hashOfAllTables(server.deps.db)).toBe(before);
  });
});

describe('assets', () => {
  const asset = '/assets/app-1a2b3c.js';

  test('are kept for ever and come compressed to who can read it', async () => {
    const plain = await get(asset);
    expect(plain.body.toString()).toBe(SCRIPT);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'content-type': 'text/javascript; charset=utf-8',
    });
    const brotli = await get(asset, { 'accept-encoding': 'gzip, deflate, br' });
    expect([brotli.headers['content-encoding'], brotliDecompressSync(brotli.body).toString()]).toEqual([
      'br',
      SCRIPT,
    ]);
    const gzip = await get(asset, { 'accept-encoding': 'gzip;q=1.0, br;q=0' });
    expect([gzip.headers['content-encoding'], gunzipSync(gzip.body).toString()]).toEqual(['gzip', SCRIPT]);
    expect(brotli.headers['content-length']).toBe(String(brotli.body.length));
    expect(
      (await get('/assets/font.woff2', { 'accept-encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined();
  });

  test('what the build has compressed is handed out as it lies there', async () => {
    const { body, headers } = await get('/assets/app-4d5e6f.js', { 'accept-encoding': 'gzip' });
    expect([body, headers['content-encoding']]).toEqual([BUILT_GZIP, 'gzip']);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await get('/assets/app-4d5e6f.js.gz')).status).toBe(404);
  });

  test.each([
    [undefined, 200, '0123456789', undefined],
    ['bytes=0-1', 206, '01', 'bytes 0-1/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
  ])('what a phone plays on trial is sent in parts: %s', async (range, status, body, part) => {
    const answer = await get('/assets/prova.m4a', range === undefined ? {} : { range });
    expect([answer.status, answer.body.toString(), answer.headers['content-range']]).toEqual([
      status,
      body,
      part,
    ]);
    expect(answer.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-type': 'audio/mp4' });
    if (status !== 416) expect(answer.headers['content-length']).toBe(String(body.length));
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  test('in parts of the file that was asked for, and whole where it is another by now', async () => {
    const { headers } = await get('/assets/prova.m4a');
    const part = async (tag: string) =>
      (await get('/assets/prova.m4a', { range: 'bytes=0-1', 'if-range': tag })).status;
    expect([await part(String(headers.etag)), await part('"another"')]).toEqual([206, 200]);
  });

  test('the ticket on trial is a file to keep', async () => {
    const { headers } = await get('/assets/prova.pdf');
    expect(headers['content-disposition']).toBe('attachment; filename="biglietto-di-prova.pdf"');
    expect((await get('/icon.svg')).headers['content-disposition']).toBeUndefined();
  });

  test('a known tag is answered 304', async () => {
    const { headers } = await get('/');
    const again = await get('/', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });
});

describe('no path leaves the folder', () => {
  const tricks = [
    '/../secret.txt',
    '/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/%252e%252e/secret.txt',
    '//secret.txt',
    '///etc/passwd',
    '/./../secret.txt',
    '/.%00/secret.txt',
    '/secret.txt%00.html',
    '/..;/secret.txt',
    '/%c0%ae%c0%ae/secret.txt',
    '/file:///etc/passwd',
    '/__proto__',
    '/constructor',
  ];
  test.each(tricks)('%s', async (path) => {
    const { status, body } = await get(path);
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toContain('SEGRETO');
    expect(body.toString()).not.toContain('root:');
  });
});

test('sends files, parts of files and the OpenAPI document without copying them', async () => {
  for (const path of ['/assets/app-1a2b3c.js', '/assets/prova.m4a', '/api/openapi.json']) {
    const end = vi.spyOn(ServerResponse.prototype, 'end');
    for (let times = 0; times < 2; times += 1) await get(path);
    const [first, second] = end.mock.calls.map(([bytes]) => (bytes as unknown as Uint8Array).buffer);
    end.mockRestore();
    expect(first, path).toBeInstanceOf(ArrayBuffer);
    expect(second === first, path).toBe(true);
  }
});

describe('every answer carries the headers that protect it', () => {
  test('pages, assets, calls, refusals, files, tickets, streams, health', async () => {
    const visitor = await enter(server, evening);
    const answers: [string, Got | { status: number; headers: Headers | Record<string, unknown> }][] = [];
    const paths = [
      ...PAGES,
      '/nope',
      '/robots.txt',
      '/assets/app-1a2b3c.js',
      '/icon.svg',
      '/healthz',
      '/readyz',
      '/api/openapi.json',
      '/api',
      '/api/nope',
      '/api/site',
      '/api/admin/me',
      '/api/admin/config',
      '/api/auth/get-session',
      evening.media.video.url,
      evening.media.picture.url,
      `/api/media/${'0'.repeat(32)}.mp4`,
      '/api/visit/tickets/1/biglietti.pdf',
      '/../x',
      '/%',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        answers.push([
          `${method} ${path}`,
          await get(path, { cookie: `${visitor}; ${evening.admin}` }, method),
        ]);
      }
    }
    answers.push(['range', await get(evening.media.video.url, { cookie: visitor, range: 'bytes=0-9' })]);
    answers.push(['416', await get(evening.media.video.url, { cookie: visitor, range: 'bytes=99999999-' })]);
    answers.push(['304', await get('/', { 'if-none-match': String((await get('/')).headers.etag) })]);
    answers.push(['bad input', await call(server.url, 'POST', '/access', '{')]);
    answers.push([
      'foreign origin',
      await call(server.url, 'POST', '/access', {}, { headers: { origin: 'https://evil.example' } }),
    ]);
    const events = await fetch(`${server.url}/api/visit/events`, { headers: { cookie: visitor } });
    answers.push(['events', { status: events.status, headers: events.headers }]);
    await events.body?.cancel();
    for (const [name, { headers }] of answers) {
      const of = (header: string) => (headers instanceof Headers ? headers.get(header) : headers[header]);
      expect(of('content-security-policy'), name).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
      // Only a file that is opened by itself, in a sandbox, may be drawn by the browser's own inline styles.
      if (!String(of('content-security-policy')).includes('; sandbox;'))
        expect(of('content-security-policy'), name).not.toContain('unsafe');
      expect(of('x-frame-options'), name).toBe('DENY');
      expect(of('x-content-type-options'), name).toBe('nosniff');
      expect(of('referrer-policy'), name).toBe('no-referrer');
      expect(of('cross-origin-resource-policy'), name).toBe('same-origin');
      expect(of('cross-origin-opener-policy'), name).toBe('same-origin');
      expect(of('permissions-policy'), name).toContain('camera=()');
      expect(of('x-robots-tag'), name).toContain('noindex');
      expect(of('x-powered-by'), name).toBeFalsy();
      expect(of('access-control-allow-origin'), name).toBeFalsy();
    }
    expect((await get('/')).headers['content-security-policy']).toBe(policy());
  });

  test('nothing of the API may be kept by a cache', async () => {
    const cookie = `${await enter(server, evening)}; ${evening.admin}`;
    for (const { path, method } of server.app.endpoints) {
      if (method !== 'GET' || path === '/openapi.json') continue;
      const response = await fetch(
        `${server.url}/api${path.replace('/media/{file}', evening.media.video.url.slice(4)).replace('{viaggio}', '1')}`,
        { headers: { cookie } },
      );
      expect(response.headers.get('cache-control'), path).toMatch(/no-store|^no-cache, no-transform$/);
      await response.body?.cancel();
    }
  });

  test('over https the browser is told to stay there', async () => {
    const published = await startServer({ env: { PUBLIC_URL: 'https://sorpresa.example' } });
    const { headers } = await fetch(`${published.url}/healthz`);
    // Other names under ours are not ours to decide about.
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('content-security-policy')).toMatch(/; upgrade-insecure-requests$/);
    expect((await get('/healthz')).headers['strict-transport-security']).toBeUndefined();
    await published.stop();
  });
});
