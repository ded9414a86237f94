import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PREVIOUS_BUILD_MS } from '../../src/domain/limits.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';

/** What an update leaves to pages that are open: the assets of the build before. */

const START = Date.parse('2027-02-14T18:00:00Z');

let folder: string;
let now: number;
let server: TestServer | undefined;

beforeEach(async () => {
  folder = await newFolder();
  now = START;
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true });
});

/** Builds the web of one name in the place of the one before, and starts the product on it. */
async function update(build: string): Promise<void> {
  await server?.stop();
  const web = join(folder, 'web');
  await rm(web, { recursive: true, force: true });
  await mkdir(join(web, 'assets'), { recursive: true });
  await writeFile(join(web, 'index.html'), `<!doctype html><title>${build}</title>`);
  await writeFile(join(web, `only-${build}.js`), build);
  await writeFile(join(web, 'assets/same-1a2b.css'), 'p{}');
  await writeFile(join(web, `assets/${build}.js`), build);
  await writeFile(join(web, `assets/${build}.js.gz`), gzipSync(build));
  await restart();
}

async function restart(): Promise<void> {
  await server?.stop();
  server = await startServer({
    dataDir: join(folder, 'data'),
    webRoot: join(folder, 'web'),
    now: () => new Date(now),
  });
}

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server?.url}${path}`, { headers });
  const { status } = answer;
  const header = (name: string) => answer.headers.get(name);
  return { status, header, body: await answer.text() };
}

test('answers the assets of the build before as its own, and no other name', async () => {
  await update('first');
  const before = await get('/assets/first.js', { 'accept-encoding': 'gzip' });
  await update('second');
  await restart();
  const after = await get('/assets/first.js', { 'accept-encoding': 'gzip' });
  expect([after.status, after.body]).toEqual([200, 'first']);
  expect(after.header('content-encoding')).toBe('gzip');
  for (const name of ['content-type', 'cache-control', 'content-encoding', 'etag', 'vary', 'content-length'])
    expect([name, after.header(name)]).toEqual([name, before.header(name)]);
  const known = { 'if-none-match': `${before.header('etag')}` };
  expect((await get('/assets/first.js', known)).status).toBe(304);
  expect((await get('/assets/second.js')).body).toBe('second');
  for (const path of [
    '/assets/third.js',
    '/assets/first.js.gz',
    '/only-first.js',
    '/assets/..%2ffirst.js',
    '/assets/%2e%2e/assets/none.js',
  ])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  expect((await get('/')).body).toContain('second');
});

test('drops them after their time, and when the next build replaces them', async () => {
  await update('first');
  now += 30 * PREVIOUS_BUILD_MS;
  await update('second');
  now += PREVIOUS_BUILD_MS - 1;
  expect((await get('/assets/first.js')).status).toBe(200);
  now += 1;
  expect((await get('/assets/first.js')).status).toBe(404);
  await update('third');
  expect((await get('/assets/second.js')).status).toBe(200);
  await update('second');
  expect((await get('/assets/third.js')).status).toBe(200);
  expect((await get('/assets/first.js')).status).toBe(404);
  expect((await readdir(join(folder, 'data/web'))).toSorted()).toEqual([
    expect.stringMatching(/^current-\w{16}$/),
    'previous',
  ]);
});

test('starts where they can’t be kept, with a warning', async () => {
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  await writeFile(join(folder, 'data/web'), 'in the way');
  await update('first');
  expect((await get('/assets/first.js')).body).toBe('first');
  expect(server?.logged()).toContain('the assets of this build could not be kept');
});
