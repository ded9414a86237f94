import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MediaItem, ProcessingUpload } from '../../src/contract/admin/media.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { spawnBundled } from '../support/bundled.ts';
import { complaintsOn, ffmpeg, readFilm } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { ok, signUp } from '../support/http-evening.ts';
import { createRandom, SOAK_MS } from '../support/random.ts';
import { newFolder, type SpawnedServer } from '../support/server.ts';
import { announce, idOf, MEDIA, offsetOf, send } from '../support/uploads.ts';

/** A conversion killed at any point resumes automatically, produces the film and leaves nothing else. */

const SECONDS = 6;
/** Share of a job's progress before the film is stored. */
const MAKING = 0.9;
const POLL_MS = 15;
const TIMEOUT = { timeout: 120_000, interval: 100 };
const KILLER = new URL('../support/kill-at.ts', import.meta.url).href;

let films: string;
let long: Buffer;
let short: Buffer;
beforeAll(async () => {
  films = await newFolder();
  const path = join(films, 'long.mkv');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${SECONDS}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${SECONDS}`];
  await ffmpeg(...picture, ...sound, '-c:v', 'mpeg2video', '-b:v', '6M', '-c:a', 'ac3', path);
  [long, short] = [await readFile(path), await readFile(join(MEDIA, 'index-last.mp4'))];
});
afterAll(() => rm(films, { recursive: true, force: true }));

let folder: string;
let server: SpawnedServer;
let cookie: string;
const to = () => ({ url: server.url, cookie });
const start = async (env: Record<string, string> = {}) => {
  server = await spawnBundled({
    dataDir: join(folder, 'data'),
    env: { TMPDIR: join(folder, 'tmp'), ...env },
  });
};
beforeEach(async () => {
  folder = await newFolder();
  await mkdir(join(folder, 'tmp'));
  await start();
  cookie = await signUp(server);
});
afterEach(async () => {
  await server.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function videos(): Promise<MediaItem[]> {
  return ok(await call(server.url, 'GET', '/admin/media/video', undefined, { cookie })).body;
}
async function underWay(id: string): Promise<ProcessingUpload | undefined> {
  const { body } = ok(await call(server.url, 'GET', '/admin/uploads', undefined, { cookie }));
  return (body as ProcessingUpload[]).find(({ upload }) => upload === id);
}

/** Returns the process id of the server's only child, or null. */
function mediaWorker(): number | null {
  const { pid } = server.process;
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ');
  return child === undefined || child === '' ? null : Number(child);
}

/** Waits until the job reaches this progress or ends. Returns its progress, or null if it ended. */
async function waitForProgress(id: string, share: number): Promise<number | null> {
  for (;;) {
    const arrived = await underWay(id);
    if (arrived?.state !== 'working') return null;
    if (arrived.progress >= share && mediaWorker() !== null) return arrived.progress;
    await delay(POLL_MS);
  }
}

/** Waits until the server converts the upload without a request. The film must be complete as soon as it appears. */
async function expectFilm(id: string, before: readonly MediaItem[]): Promise<void> {
  await expect
    .poll(async () => {
      const fresh = (await videos()).filter(({ id: one }) => !before.some((old) => old.id === one));
      for (const { url, size } of fresh) {
        const response = await fetch(`${server.url}${url}`, { headers: { cookie } });
        expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, size]);
      }
      return { films: fresh.length, underWay: await underWay(id) };
    }, TIMEOUT)
    .toEqual({ films: 1, underWay: undefined });
}

/** Expects that every row has its bytes, and that there are no other files: in media, in uploads or among temporary files. */
async function expectNothingElse(): Promise<void> {
  const data = join(folder, 'data');
  const { db, close } = await openDatabase({ DATA_DIR: data, DATABASE_URL: undefined });
  const rows = await db.selectFrom('media').selectAll().execute();
  await close();
  for (const { id, extension, sha256 } of rows) {
    const bytes = await readFile(join(data, 'media', `${id}.${extension}`));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
  const known = rows.map(({ id, extension }) => `${id}.${extension}`).toSorted();
  expect((await readdir(join(data, 'media'))).toSorted()).toEqual(known);
  expect(await readdir(join(data, 'uploads'))).toEqual([]);
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
}

test('resumes a conversion when the worker or the server is killed at any point', {
  timeout: 300_000 + SOAK_MS,
}, async () => {
  const points: number[] = [];
  const end = Date.now() + SOAK_MS;
  let count = 0;
  for (; Date.now() < end || count < 4; count += 1) {
    const before = await videos();
    const id = idOf(await announce(to(), long.length, { slot: 'video', filename: `${count}.mkv` }));
    expect((await send(to(), id, 0, long)).status).toBe(204);
    // Spreads any number of points over the whole conversion.
    const share = await waitForProgress(id, MAKING * ((count * 0.618) % 1));
    const worker = mediaWorker();
    if (share !== null) points.push(Number(share.toFixed(2)));
    if (count % 2 === 1) {
      await server.end('SIGKILL');
      await start();
    } else if (worker !== null) process.kill(worker, 'SIGKILL');
    if (worker !== null) await expect.poll(() => existsSync(`/proc/${worker}`), TIMEOUT).toBe(false);
    await expectFilm(id, before);
  }
  console.log('killed at', points.join(' '));
  const items = await videos();
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.output()).not.toMatch(/"level":(50|60)/);
  expect(items).toHaveLength(count);
  expect(points.length).toBeGreaterThan(count / 2);
  await expectNothingElse();
  for (const { url } of items) {
    const path = join(folder, 'data', 'media', url.split('/').at(-1) ?? '');
    expect(await complaintsOn(path)).toBe('');
    const { video, audio } = await readFilm(path);
    expect(video?.end).toBeCloseTo(SECONDS, 1);
    expect(audio?.end).toBeCloseTo(SECONDS, 0);
  }
});

test('stores the film once and leaves nothing else when the server is killed before a step on the disk', {
  timeout: 300_000 + SOAK_MS,
}, async () => {
  const random = createRandom('steps left out');
  const end = Date.now() + SOAK_MS;
  let [step, died] = [0, true];
  const steps: number[] = [];
  while (died) {
    // Some of the steps, fewer of them once the time is over.
    step += Date.now() < end ? 1 + random.int(3) : 8 + random.int(5);
    const before = await videos();
    const id = idOf(await announce(to(), short.length, { slot: 'video', filename: `${step}.mp4` }));
    const most = short.length - 1_000;
    expect((await send(to(), id, 0, short.subarray(0, most))).status).toBe(204);
    await server.end('SIGTERM');
    died = await diesAt(step, id, most);
    if (died) steps.push(step);
    await start();
    const offset = await offsetOf(to(), id);
    if (offset !== null && offset < short.length) await send(to(), id, offset, short.subarray(offset));
    await expectFilm(id, before);
    expect(await server.end('SIGTERM')).toBe(0);
    await expectNothingElse();
    await start();
  }
  console.log(`killed before the steps ${steps.join(' ')}`);
  expect(step).toBeGreaterThan(10);
});

/** Sends the rest to a server that is killed before this step. Returns true if the server reached it. */
async function diesAt(step: number, id: string, offset: number): Promise<boolean> {
  const killing = {
    NODE_OPTIONS: `--import ${KILLER}`,
    KILL_AT: String(step),
    KILL_BELOW: join(folder, 'data'),
  };
  try {
    await start(killing);
  } catch {
    return true;
  }
  const rest = async () => {
    await send(to(), id, offset, short.subarray(offset));
    while ((await underWay(id)) !== undefined) await delay(POLL_MS);
  };
  // Requests to a killed server fail.
  await rest().catch(() => undefined);
  return (await server.end('SIGTERM')) === null;
}
