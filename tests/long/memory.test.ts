import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventRows, insertEvents } from '../support/csv.ts';
import { HEAVIEST } from '../support/files.ts';
import { box } from '../support/hostile-files.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, store } from '../support/http-evening.ts';
import { type PreparedServer, spawnPrepared } from '../support/prepared.ts';
import { peakMemory } from '../support/server.ts';
import { announce, finish, idOf, MEDIA, send, upload } from '../support/uploads.ts';

/** Memory of the server: with large or costly files it grows by no more than uncollected garbage, and continues to answer. */

const MB = 1024 ** 2;
const FILM = 200 * MB;
/** Many times the growth that the server is allowed. */
const UPLOAD = 1_024 * MB;
const PIECE = 64 * MB;
const EVENTS = 60_000;
/** Allowed growth of the server, and allowed memory of its worker, in bytes. */
const LIMITS = { server: 50 * MB, worker: 1_000 * MB };

let server: PreparedServer<Evening & { film: string }>;
let to: { url: string; cookie: string };
beforeAll(async () => {
  server = await spawnPrepared(
    async (before) => {
      await insertEvents(before.deps, eventRows(EVENTS, 1_000));
      const evening = await prepareEvening(before);
      const content = Readable.from(Array.from({ length: FILM / MB }, () => Buffer.alloc(MB, 7)));
      return { ...evening, film: (await store(before, 'lungo.mp4', content)).url };
    },
    { LOG_LEVEL: 'error' },
  );
  to = { url: server.url, cookie: server.prepared.admin };
  // Garbage is collected every 64 MB; one such round before the tests doesn't count as growth.
  await watch();
  await uploadOf(await padded(128 * MB));
  await download();
});
afterAll(async () => {
  await server.stop();
});

/** Returns the server's maximum growth during `work`; the system resets its peak before. */
async function growth(work: () => Promise<void>): Promise<number> {
  await writeFile(`/proc/${server.process.pid}/clear_refs`, '5');
  const before = peakMemory(server.process.pid);
  await work();
  return peakMemory(server.process.pid) - before;
}

const fetchPath = (path: string) => fetch(`${server.url}${path}`, { headers: { cookie: to.cookie } });

/** Downloads the film. Returns the number of bytes. */
async function watch(): Promise<number> {
  const response = await fetchPath(server.prepared.film);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
}

/** Downloads the CSV of the events. Returns the number of lines. */
async function download(): Promise<number> {
  return (await (await fetchPath('/api/admin/logs.csv')).text()).split('\r\n').length;
}

test('streams a gigabyte of a film, and buffers little of it for each client that reads nothing', async () => {
  const grown = await growth(async () => {
    const stalled = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const request = get(`${server.url}${server.prepared.film}`, {
          headers: { cookie: to.cookie },
          agent: false,
        });
        return ((await once(request, 'response')) as [IncomingMessage])[0];
      }),
    );
    for (let again = 0; again < 5; again += 1) expect(await watch()).toBe(FILM);
    for (const response of stalled) response.destroy();
  });
  // A few chunks for each.
  expect(grown).toBeLessThan(LIMITS.server + 10 * 6 * MB);
});

test('exports the CSV of 60,000 events repeatedly', async () => {
  const lines = await download();
  expect(lines).toBeGreaterThan(EVENTS);
  const grown = await growth(async () => {
    for (let again = 0; again < 5; again += 1) expect(await download()).toBe(lines);
  });
  expect(grown).toBeLessThan(LIMITS.server);
});

/** A film whose rest repeats the same megabyte, so that the test holds no more of it. */
type Large = { beginning: Buffer; size: number };
const MIDDLE = Buffer.alloc(MB, 7);

/** Returns a film of a few seconds, followed by an empty box. */
async function padded(size: number): Promise<Large> {
  const film = await readFile(join(MEDIA, 'good.mp4'));
  return { beginning: Buffer.concat([film, box('free', Buffer.alloc(0), size - film.length)]), size };
}

function streamed({ beginning, size }: Large, from: number, end: number): ReadableStream<Uint8Array> {
  let at = from;
  return new ReadableStream({
    pull(controller) {
      if (at >= end) return controller.close();
      const next = at < beginning.length ? beginning.subarray(at) : MIDDLE.subarray(0, size - at);
      const chunk = next.subarray(0, end - at);
      at += chunk.length;
      controller.enqueue(new Uint8Array(chunk));
    },
  });
}

/** Uploads a file in chunks as the browser does. Returns the final reply. */
async function uploadOf(file: Large) {
  const id = idOf(await announce(to, file.size, { slot: 'video', filename: 'grande.mp4' }));
  for (let at = 0; at < file.size; at += PIECE) {
    const end = Math.min(file.size, at + PIECE);
    const headers = { 'content-length': String(end - at) };
    const answer = await send(to, id, at, streamed(file, at, end), { headers });
    expect(answer.status, answer.text).toBe(204);
  }
  return finish(to, id);
}

/** A file is stored before its source is deleted, which takes a moment for a gigabyte. */
const waiting = () =>
  expect.poll(
    async () => (await readdir(join(server.folder, 'uploads'))).filter((name) => !name.endsWith('.refused')),
    { timeout: 30_000 },
  );

test.each([
  ['stores a large film', false],
  ['refuses a large damaged film at the end', true],
])('%s, and frees the disk', async (_title, isDamaged) => {
  const film = await padded(UPLOAD);
  if (isDamaged) film.beginning.fill(0xee, film.beginning.indexOf('mdat') + 4, film.beginning.length - 8);
  const grown = await growth(async () => {
    const { body } = await uploadOf(film);
    if (isDamaged) expect(body.codice).toBe('FILE_BROKEN');
    else expect([body.item?.size < MB, body.item?.warnings]).toEqual([true, []]);
  });
  expect(grown).toBeLessThan(LIMITS.server);
  await waiting().toEqual([]);
});

/** Returns the peak memory of the server's child in bytes; 0 if there is none, or if it has just ended. */
function workerPeak(): number {
  const { pid } = server.process;
  const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  try {
    // A process that has just ended has no such line.
    return child === '' ? 0 : peakMemory(Number(child)) || 0;
  } catch {
    return 0;
  }
}

test('converts the heaviest files while a visitor gets replies as usual', async () => {
  const cookie = await enter(server, server.prepared);
  let [going, worker, slowest] = [true, 0, 0];
  const calling = longestWhile(cookie, () => going);
  const looking = setInterval(() => (worker = Math.max(worker, workerPeak())), 20);
  for (const { name, slot, make } of HEAVIEST) {
    const bytes = await make();
    const began = performance.now();
    const grown = await growth(async () => {
      const ends = await Promise.all([0, 1].map(() => upload(to, slot, bytes)));
      expect([200, 422], name).toContain(ends[0]?.status);
      expect(ends[1]?.status, name).toBe(ends[0]?.status);
    });
    slowest = Math.max(slowest, performance.now() - began);
    expect(grown - 2 * bytes.length, name).toBeLessThan(LIMITS.server);
  }
  clearInterval(looking);
  going = false;
  const longest = await calling;
  const [call, file] = [Math.round(longest), Math.round(slowest)];
  console.log(`longest call ${call} ms, slowest file ${file} ms; the worker held ${worker / MB} MB`);
  // A server that converted a file in its own process would reply only afterwards.
  expect(call).toBeLessThan(file / 2);
  expect(worker).toBeLessThan(LIMITS.worker);
  await expect.poll(workerPeak, { timeout: 60_000, interval: 500 }).toBe(0);
  await waiting().toEqual([]);
  expect(server.output()).not.toMatch(/"level":(50|60)/);
});

/** Sends a visitor's positions one after the other while `goesOn` returns true. Returns the longest duration in ms. */
async function longestWhile(cookie: string, goesOn: () => boolean): Promise<number> {
  let longest = 0;
  while (goesOn()) {
    const at = performance.now();
    ok(await call(server.url, 'POST', '/visit/position', { step: 0, phrase: 0, second: 0 }, { cookie }));
    longest = Math.max(longest, performance.now() - at);
    await delay(20);
  }
  return longest;
}
