import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeBucket } from '../support/buckets.ts';
import { call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  store,
  walkTo,
} from '../support/http-evening.ts';
import type { BucketEnv } from '../support/radosgw.ts';
import { newFolder, spawnServer, startServer, type TestServer } from '../support/server.ts';
import { upload } from '../support/uploads.ts';

const MB = 1024 * 1024;
const SIZE = 40 * MB;

let bucket: BucketEnv;
let server: TestServer;
let evening: Evening;
let film: string;
beforeAll(async () => {
  bucket = await takeBucket();
  server = await startServer({ env: bucket });
  evening = await prepareEvening(server);
  const megabytes = Array.from({ length: SIZE / MB }, (_, n) => Buffer.alloc(MB, n));
  film = (await store(server, 'lungo.mp4', Readable.from(megabytes))).url;
  const config = await call(server.url, 'GET', '/admin/config', undefined, { cookie: evening.admin });
  const change = { versione: config.body.versione, fields: { video_url: film } };
  ok(await call(server.url, 'PATCH', '/admin/config', change, { cookie: evening.admin }));
});
afterAll(() => server.stop());

async function stored(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of server.deps.storage.keys()) keys.push(key);
  return keys;
}

const inDataDir = (...path: string[]) => join(server.deps.env.DATA_DIR, ...path);

async function visitorOf(token: Evening['token']): Promise<string> {
  const cookie = await enter(server, { token });
  await walkTo(server, cookie, 'video');
  return cookie;
}

test('a film is answered as from a disk: whole, by parts, past its end, and to nobody else', async () => {
  const cookie = await visitorOf(evening.token);
  const ask = (headers: Record<string, string>, method = 'GET') =>
    fetch(`${server.url}${film}`, { method, headers: { cookie, ...headers } });
  const whole = await ask({});
  expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, SIZE]);
  const part = await ask({ range: `bytes=${3 * MB - 1}-${3 * MB}` });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes ${3 * MB - 1}-${3 * MB}/${SIZE}`,
  ]);
  expect([...new Uint8Array(await part.arrayBuffer())]).toEqual([2, 3]);
  const last = await ask({ range: 'bytes=-5' });
  expect([...new Uint8Array(await last.arrayBuffer())]).toEqual(Array(5).fill(39));
  expect((await ask({ range: `bytes=${SIZE}-` })).status).toBe(416);
  const head = await ask({}, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(SIZE)]);
  expect((await ask({ 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304);
  expect((await fetch(`${server.url}${film}`)).status).toBeGreaterThanOrEqual(400);
});

test('a film under way is cut when its code is revoked, for its holders only', async () => {
  const token = await buildCode(server, evening);
  const [cut, kept] = await Promise.all([open(await visitorOf(token)), open(await visitorOf(evening.token))]);
  await revokeCode(server, evening, token);
  expect((await drain(cut)).whole).toBe(false);
  expect(await drain(kept)).toEqual({ bytes: SIZE, whole: true });
});

test('what is uploaded is worked on and kept in the bucket, and nothing of it stays here', async () => {
  const to = { url: server.url, cookie: evening.admin };
  const before = await stored();
  const picture = join(import.meta.dirname, '../fixtures/picture.jpg');
  expect((await upload(to, 'immagine', picture)).body).toMatchObject({ state: 'done' });
  const [made] = (await stored()).filter((key) => !before.includes(key) && key.endsWith('.jpg'));
  expect(made).toBeDefined();
  expect(existsSync(inDataDir('media'))).toBe(false);
  expect(await readdir(inDataDir('uploads'))).toEqual([]);
  const lent = await server.deps.storage.lend(made ?? '', (path) => Promise.resolve(path));
  expect(lent).toContain(inDataDir('lent'));
  expect(await readdir(inDataDir('lent'))).toEqual([]);
});

test('copies that a crash left go at the next start', async () => {
  const dataDir = await newFolder();
  const env = await takeBucket();
  const first = await startServer({ env, dataDir });
  await first.deps.storage.put('a.bin', Readable.from(['x']));
  await first.deps.storage.lend('a.bin', () => writeFile(join(dataDir, 'lent', 'left'), 'x'));
  await first.stop();
  const second = await startServer({ env, dataDir });
  expect(await readdir(join(dataDir, 'lent'))).toEqual([]);
  await second.stop();
  await rm(dataDir, { recursive: true });
});

test('what speaks to S3 is loaded only where a bucket is set', async () => {
  const tell = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (/^(hono|@aws-sdk|@smithy)/.test(name)) console.log('loads ' + name.split('/')[0]);
      return next(name, context);
    } });`;
  const loads = async (env: Record<string, string>) => {
    const dataDir = await newFolder();
    const through = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}` };
    const spawned = await spawnServer({ dataDir, env: { ...env, ...through } });
    expect((await fetch(`${spawned.url}/readyz`)).status).toBe(200);
    await spawned.end('SIGTERM');
    await rm(dataDir, { recursive: true });
    return new Set(spawned.output().match(/(?<=^loads )\S+/gm));
  };
  expect(await loads({})).toEqual(new Set(['hono']));
  expect(await loads(await takeBucket())).toEqual(new Set(['hono', '@aws-sdk', '@smithy']));
});

function open(cookie: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${server.url}${film}`, { headers: { cookie }, agent: false }, resolve).on('error', reject);
  });
}

/** Bytes until the end, however it ends. */
async function drain(response: IncomingMessage): Promise<{ bytes: number; whole: boolean }> {
  let bytes = 0;
  try {
    for await (const chunk of response) bytes += (chunk as Buffer).length;
  } catch {
    return { bytes, whole: false };
  }
  return { bytes, whole: response.complete };
}
