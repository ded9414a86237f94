import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';
import { PREVIOUS_BUILD_MS } from '../../src/domain/limits.ts';
import { type Evening, enter, prepareEvening } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';

const SCRIPT = `console.log('ciao');${'/* testo */'.repeat(200)}`;
/** The build's companion file. The server never compresses at this level, so this proves that the file is used. */
const BUILT_GZIP = gzipSync(SCRIPT, { level: 1 });
const HTML = '<!doctype html><html lang="it">';
const FILES: Record<string, string | Buffer> = {
  'index.html': `${HTML}<title>index</title><meta property="og:image" content="/og.png" />`,
  'app.html': `${HTML}<title>app</title><meta name="theme-color" content="#170d16">`,
  'admin.html': '<!doctype html><title>admin</title><meta name="style-nonce" content="__NONCE__">',
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/app-1a2b3c.js': SCRIPT,
  'assets/app-1a2b3c.js.map': '{}',
  'assets/app-4d5e6f.js': SCRIPT,
  'assets/app-4d5e6f.js.gz': BUILT_GZIP,
  'assets/font.woff2': 'wOF2',
  'assets/prova.m4a': '0123456789',
  'assets/prova.pdf': '%PDF-1.7',
};

let folder: string;
let server: TestServer;
let evening: Evening;

async function writeWeb(web: string, files: Record<string, string | Buffer>): Promise<void> {
  await mkdir(join(web, 'assets'), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(web, name), content);
}

beforeAll(async () => {
  folder = await newFolder();
  await writeFile(join(folder, 'secret.txt'), 'SEGRETO');
  await writeWeb(join(folder, 'web'), FILES);
  server = await startServer({ webRoot: join(folder, 'web') });
  evening = await prepareEvening(server);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** The exact policy of the pages. */
const policy = (styles = "style-src 'self'") =>
  `default-src 'none'; script-src 'self'; ${styles}; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; ` +
  "connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'";

type Got = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string };

/** Requests exactly this path, without normalizing it. */
function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  { url } = server,
): Promise<Got> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = httpGet({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const status = response.statusCode ?? 0;
        resolve({ status, headers: response.headers, bytes, text: bytes.toString() });
      });
    });
    outgoing.on('error', reject);
  });
}
const isAdmin = (page: string) => page.startsWith('/admin');

describe('page', () => {
  test('is one of three documents, requested again each time', async () => {
    for (const page of [...PAGES, '/experience/', '/experience?x=1']) {
      const { status, headers, text } = await get(page);
      const caching = isAdmin(page) ? 'no-store' : 'no-cache';
      expect([page, status, headers['cache-control']]).toEqual([page, 200, caching]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      const title = page === '/' ? 'index' : isAdmin(page) ? 'admin' : 'app';
      expect(text).toContain(`<title>${title}`);
    }
  });

  test('has a new nonce in every response for the administrator, and none otherwise', async () => {
    const seen = new Set<string>();
    for (const path of ['/admin', '/admin', '/admin/', '/admin?x=1']) {
      const { headers, text } = await get(path);
      const nonce = /'nonce-([^']{24})'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
      expect(seen.has(nonce), path).toBe(false);
      seen.add(nonce);
      expect(headers['content-security-policy']).toBe(policy(`style-src 'self' 'nonce-${nonce}'`));
      expect(text).toContain(`content="${nonce}"`);
      expect(headers.etag).toBeUndefined();
    }
    for (const page of ['/', '/experience', '/nope', '/admin/nope', '/assets/app-1a2b3c.js', '/api/site']) {
      const { headers, text } = await get(page);
      expect(headers['content-security-policy'], page).toBe(policy());
      expect(text, page).not.toContain('nonce');
    }
  });

  test('is the 404 page at a missing path', async () => {
    const paths = ['/nope', '/admin/nope', '/admin.html', '/assets/none.js', '/assets/app-1a2b3c.js.map'];
    for (const path of [...paths, '//', '/%']) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('<title>app</title>');
    }
  });

  test('completes the address of the preview’s picture with the requested host', async () => {
    const picture = async (host: string) =>
      /og:image" content="(.*?)"/.exec((await get('/', { host })).text)?.[1];
    expect(await picture('sorpresa.example')).toBe('http://sorpresa.example/og.png');
    expect(await picture('[::1]:3000')).toBe('http://[::1]:3000/og.png');
    expect([await picture('a"><script>'), await picture("a'b")]).toEqual([undefined, '/og.png']);
    const etag = String((await get('/', { host: 'sorpresa.example' })).headers.etag);
    const again = async (host: string) => (await get('/', { host, 'if-none-match': etag })).status;
    expect([await again('sorpresa.example'), await again('n1.example')]).toEqual([304, 200]);
  });

  test('has the chosen dress from the first pixel', async () => {
    const wear = (dress: 'notte' | 'alba') =>
      server.deps.db.updateTable('admin_config').set({ dress }).execute();
    const before = await get('/');
    expect(before.text).not.toContain('data-dress');
    const etag = String(before.headers.etag);
    await wear('alba');
    const access = await get('/', { 'if-none-match': etag });
    expect(access.status).toBe(200);
    expect(access.text).toContain('<html data-dress="alba" lang="it">');
    expect(access.text).toContain('/og-alba.png"');
    const shell = (await get('/experience')).text;
    expect(shell).toContain('data-dress="alba"');
    expect(shell).toContain('content="#07161f"');
    expect(shell).not.toContain('data-footer');
    await server.deps.db.updateTable('admin_config').set({ footer_text: 'Buon compleanno' }).execute();
    const own = await get('/');
    // The text itself is never part of a page that a chat may preview.
    expect(own.text).toContain('<html data-footer="own" data-dress="alba" lang="it">');
    expect(own.text).not.toContain('compleanno');
    await server.deps.db.updateTable('admin_config').set({ footer_text: null }).execute();
    await wear('notte');
    const again = await get('/', { 'if-none-match': etag });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
  });

  test('refuses robots and every method but reading', async () => {
    expect((await get('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n');
    const { status, headers } = await get('/', {}, 'POST');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    const [head, whole] = [await get('/', {}, 'HEAD'), await get('/')];
    expect([head.bytes.length, head.headers['content-length']]).toEqual([0, String(whole.bytes.length)]);
  });
});

describe('asset', () => {
  test('is cached forever and compressed for clients that support it', async () => {
    const asset = (encoding: string, name = 'app-1a2b3c.js') =>
      get(`/assets/${name}`, { 'accept-encoding': encoding });
    const plain = await asset('');
    expect(plain.text).toBe(SCRIPT);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'content-type': 'text/javascript; charset=utf-8',
    });
    const brotli = await asset('gzip, deflate, br');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(SCRIPT);
    expect(brotli.headers['content-length']).toBe(String(brotli.bytes.length));
    const gzip = await asset('gzip;q=1.0, br;q=0');
    expect([gzip.headers['content-encoding'], gunzipSync(gzip.bytes).toString()]).toEqual(['gzip', SCRIPT]);
    expect((await asset('br', 'font.woff2')).headers['content-encoding']).toBeUndefined();
    // A file compressed by the build is sent unchanged, and its companion has no address.
    const built = await asset('gzip', 'app-4d5e6f.js');
    expect([built.bytes, built.headers['content-encoding']]).toEqual([BUILT_GZIP, 'gzip']);
    expect(built.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await asset('gzip', 'app-4d5e6f.js.gz')).status).toBe(404);
  });

  test('is sent in parts for the phone test, or as a download if it is its ticket', async () => {
    const song = await get('/assets/prova.m4a');
    expect(song).toMatchObject({ status: 200, text: '0123456789' });
    const part = await get('/assets/prova.m4a', { range: 'bytes=-3' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '789', 'bytes 7-9/10']);
    const { headers } = await get('/assets/prova.pdf');
    expect(headers['content-disposition']).toBe('attachment; filename="biglietto-di-prova.pdf"');
    expect((await get('/icon.svg')).headers['content-disposition']).toBeUndefined();
  });
});

test.each([
  ['/../secret.txt', '/..%2fsecret.txt', '/assets/%2e%2e/%2e%2e/secret.txt', '/%252e%252e/secret.txt'],
  ['/..\\secret.txt', '///etc/passwd', '/secret.txt%00.html', '/__proto__', '/constructor'],
])('serves no file outside the folder: %s, …', async (...paths) => {
  for (const path of paths) {
    const { status, text } = await get(path);
    expect([400, 404], path).toContain(status);
    expect(text).not.toMatch(/SEGRETO|root:/);
  }
});

describe('every response', () => {
  test('has the protective headers', async () => {
    const visitor = await enter(server, evening);
    const cookie = `${visitor}; ${evening.admin}`;
    const { video, picture } = evening.media;
    const paths = [
      ['/', '/admin', '/nope', '/robots.txt', '/assets/app-1a2b3c.js', '/healthz', '/readyz', '/../x', '/%'],
      ['/api/openapi.json', '/api/nope', '/api/site', '/api/admin/me', '/api/auth/get-session'],
      [video.url, picture.url, `/api/media/${'0'.repeat(32)}.mp4`, '/api/visit/tickets/1/biglietti.pdf'],
    ].flat();
    const answers: [string, IncomingHttpHeaders | Headers][] = [];
    for (const path of paths)
      for (const method of ['GET', 'POST'])
        answers.push([`${method} ${path}`, (await get(path, { cookie }, method)).headers]);
    const range = 'bytes=99999999-';
    answers.push([range, (await get(video.url, { cookie: visitor, range })).headers]);
    const events = await fetch(`${server.url}/api/visit/events`, { headers: { cookie: visitor } });
    answers.push(['events', events.headers]);
    await events.body?.cancel();
    for (const [name, headers] of answers) {
      const of = (header: string) => (headers instanceof Headers ? headers.get(header) : headers[header]);
      const csp = of('content-security-policy');
      expect(csp, name).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
      // The browser's own inline styles are allowed only for a file opened alone, in a sandbox.
      if (!String(csp).includes('; sandbox;')) expect(csp, name).not.toContain('unsafe');
      expect(of('x-frame-options'), name).toBe('DENY');
      expect(of('x-content-type-options'), name).toBe('nosniff');
      expect(of('referrer-policy'), name).toBe('no-referrer');
      expect(of('cross-origin-resource-policy'), name).toBe('same-origin');
      expect(of('cross-origin-opener-policy'), name).toBe('same-origin');
      expect(of('permissions-policy'), name).toContain('camera=()');
      expect(of('x-robots-tag'), name).toContain('noindex');
      expect(of('access-control-allow-origin'), name).toBeFalsy();
    }
  });

  test('is stored by no cache if it is the API’s', async () => {
    const cookie = `${await enter(server, evening)}; ${evening.admin}`;
    for (const { path, method } of server.app.endpoints) {
      if (method !== 'GET' || path === '/openapi.json') continue;
      const address = path
        .replace('/media/{file}', evening.media.video.url.slice(4))
        .replace('{viaggio}', '1');
      const response = await fetch(`${server.url}/api${address}`, { headers: { cookie } });
      expect(response.headers.get('cache-control'), path).toMatch(/no-store|^no-cache, no-transform$/);
      await response.body?.cancel();
    }
  });

  test('requires https in the future if the site uses https', async () => {
    const published = await startServer({ env: { PUBLIC_URL: 'https://sorpresa.example' } });
    const { headers } = await get('/healthz', {}, 'GET', published);
    // Subdomains are not included: they may not belong to the product.
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['content-security-policy']).toMatch(/; upgrade-insecure-requests$/);
    expect((await get('/healthz')).headers['strict-transport-security']).toBeUndefined();
    await published.stop();
  });
});

describe('asset of the previous build', () => {
  let now = Date.parse('2027-02-14T18:00:00Z');
  let updated: TestServer | undefined;
  const place = (name: string) => join(folder, 'updates', name);

  async function restart(): Promise<void> {
    await updated?.stop();
    updated = await startServer({ dataDir: place('data'), webRoot: place('web'), now: () => new Date(now) });
  }
  /** Replaces the web build by one of this name and restarts the product on it. */
  async function update(build: string): Promise<void> {
    await rm(place('web'), { recursive: true, force: true });
    await writeWeb(place('web'), {
      'index.html': `<!doctype html><title>${build}</title>`,
      [`only-${build}.js`]: build,
      'assets/same-1a2b.css': 'p{}',
      [`assets/${build}.js`]: build,
      [`assets/${build}.js.gz`]: gzipSync(build),
    });
    await restart();
  }
  const seen = (path: string, headers: Record<string, string> = {}) => get(path, headers, 'GET', updated);
  const status = async (path: string) => (await seen(path)).status;
  afterAll(() => updated?.stop());

  test('is served as before for its time, unlike its other files, until the next build replaces it', async () => {
    await update('first');
    const before = await seen('/assets/first.js', { 'accept-encoding': 'gzip' });
    now += 30 * PREVIOUS_BUILD_MS;
    await update('second');
    await restart();
    const after = await seen('/assets/first.js', { 'accept-encoding': 'gzip' });
    expect([after.status, gunzipSync(after.bytes).toString()]).toEqual([200, 'first']);
    for (const name of ['content-type', 'cache-control', 'content-encoding', 'etag'])
      expect([name, after.headers[name]]).toEqual([name, before.headers[name]]);
    expect((await seen('/assets/second.js')).text).toBe('second');
    const others = ['/assets/third.js', '/assets/first.js.gz', '/only-first.js', '/assets/..%2ffirst.js'];
    for (const path of others) expect([path, await status(path)]).toEqual([path, 404]);
    expect((await seen('/')).text).toContain('second');
    now += PREVIOUS_BUILD_MS - 1;
    expect(await status('/assets/first.js')).toBe(200);
    now += 1;
    expect(await status('/assets/first.js')).toBe(404);
    await update('third');
    expect(await status('/assets/second.js')).toBe(200);
    await update('second');
    expect([await status('/assets/third.js'), await status('/assets/first.js')]).toEqual([200, 404]);
    const folders = (await readdir(place('data/web'))).toSorted();
    expect(folders).toEqual([expect.stringMatching(/^current-\w{16}$/), 'previous']);
  });
});
