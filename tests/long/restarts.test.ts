import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, store, walkTo } from '../support/http-evening.ts';
import { checkLaws } from '../support/laws.ts';
import { createRandom } from '../support/random.ts';
import { newFolder, type SpawnedServer, spawnServer, startServer } from '../support/server.ts';
import { SOAK_MS } from '../support/soak.ts';
import { announce, finish, idOf, offsetOf, send, ticketsOf } from '../support/uploads.ts';

const MB = 1024 * 1024;
const FILM = Buffer.alloc(24 * MB, 7);
/** The server is told to stop so many ms after the last request began, at most. */
const LATEST_MS = 40;

let folder: string;
let server: SpawnedServer;
let evening: Evening;
let film: string;
beforeAll(async () => {
  folder = await newFolder();
  for (let at = 0; at < FILM.length; at += MB) FILM.writeUInt32BE(at, at);
  const before = await startServer({ dataDir: folder });
  film = (await store(before, 'lungo.mp4', Readable.from([FILM]))).url;
  evening = await prepareEvening(before, { video_url: film });
  await before.stop();
  server = await spawnServer({ dataDir: folder });
}, 60_000);
afterAll(async () => {
  await server.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('restarts during films, uploads and answers lose nothing', { timeout: 180_000 + SOAK_MS }, async () => {
  const random = createRandom('restarts');
  const watching = await watcher();
  const uploading = await uploader();
  const answered: string[] = [];
  let unknown = 0;
  const end = Date.now() + SOAK_MS;
  for (let round = 1; Date.now() < end; round += 1) {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'questions');
    const parts = [watching.goOn(), uploading.goOn()];
    const answers = { viaggio: 1, risposta_1: random.int(2) === 1, risposta_2: true };
    const answer = call(server.url, 'POST', '/visit/answers', answers, { cookie }).catch(() => null);
    await delay(random.int(LATEST_MS));
    expect(await server.end('SIGTERM'), `restart ${round}`).toBe(0);
    expect(server.output()).not.toMatch(/"level":(50|60)/);
    await Promise.all(parts);
    const heard = await answer;
    if (heard === null) unknown += 1;
    else expect(heard.status).toBe(200);
    server = await spawnServer({ dataDir: folder });
    // Whoever heard nothing asks again, and whoever heard it may.
    ok(await call(server.url, 'POST', '/visit/answers', answers, { cookie }));
    answered.push(JSON.stringify([answers.risposta_1, answers.risposta_2]));
  }
  await watching.toTheEnd();
  const kept = await uploading.toTheEnd();
  console.log(`after ${answered.length} restarts:`, {
    films: watching.seen(),
    uploads: kept,
    answersUnheard: unknown,
  });
  await checkStored(answered);
});

/** Somebody who watches the film slowly: after each cut from the byte that came last, and again from the beginning after the end. */
async function watcher() {
  const cookie = await enter(server, evening);
  await walkTo(server, cookie, 'video');
  let got = 0;
  let hash = createHash('sha256');
  let whole = 0;
  const goOn = async (pace = 4) => {
    const headers = { cookie, range: `bytes=${got}-` };
    const response = await new Promise<IncomingMessage | null>((resolve) => {
      get(`${server.url}${film}`, { headers, agent: false }, resolve).on('error', () => resolve(null));
    });
    if (response === null) return;
    expect(response.statusCode).toBe(206);
    try {
      for await (const chunk of response) {
        hash.update(chunk as Buffer);
        got += (chunk as Buffer).length;
        if (pace > 0) await delay(pace);
      }
    } catch {
      // Cut: the rest is asked for next time.
    }
    if (got < FILM.length) return;
    expect(hash.digest('hex')).toBe(sha256(FILM));
    [got, hash, whole] = [0, createHash('sha256'), whole + 1];
  };
  const toTheEnd = async () => {
    const before = whole;
    while (whole === before) await goOn(0);
  };
  return { goOn, toTheEnd, seen: () => whole };
}

/** The administrator, who uploads one file after the other: after each cut from the byte that lies there. */
async function uploader() {
  const bytes = await ticketsOf(6 * MB);
  const to = () => ({ url: server.url, cookie: evening.admin });
  const begin = async () =>
    idOf(await announce(to(), bytes.length, { slot: 'biglietti', filename: 'volo.pdf' }));
  let id = await begin();
  let kept = 0;
  const goOn = async (pace = 5) => {
    const offset = await offsetOf(to(), id).catch(() => null);
    if (offset === null) return;
    const rest = slowly(bytes.subarray(offset), pace);
    const headers = { 'content-length': String(bytes.length - offset) };
    const sent =
      offset === bytes.length || (await send(to(), id, offset, rest, { headers }).catch(() => null)) !== null;
    if (!sent) return;
    const end = await finish(to(), id).catch(() => null);
    if (end?.body?.state !== 'done') return;
    const response = await fetch(`${server.url}${end.body.item.url}`, {
      headers: { cookie: evening.admin },
    }).catch(() => null);
    const stored = await response?.arrayBuffer().catch(() => null);
    if (stored) expect(sha256(Buffer.from(stored))).toBe(sha256(bytes));
    kept += 1;
    id = await begin().catch(() => id);
  };
  const toTheEnd = async () => {
    const before = kept;
    while (kept === before) await goOn(0);
    return kept;
  };
  return { goOn, toTheEnd };
}

/** Bytes as they come over a slow network. */
function slowly(bytes: Buffer, pace: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      const piece = bytes.subarray(at, at + 64 * 1024);
      at += piece.length;
      if (pace > 0) await delay(pace);
      controller.enqueue(new Uint8Array(piece));
    },
  });
}

/** The laws hold, every answer is there once, and every file is the one its row describes. */
async function checkStored(answered: readonly string[]): Promise<void> {
  expect(await server.end('SIGTERM')).toBe(0);
  const { db, close } = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined });
  // No start lasted long enough for the silent to be sent away: silence is not what is looked at here.
  expect(await checkLaws(db, new Date(0))).toEqual([]);
  const rows = await db.selectFrom('checkbox_responses').select(['risposta_1', 'risposta_2']).execute();
  const stored = rows.map(({ risposta_1, risposta_2 }) => JSON.stringify([risposta_1, risposta_2]));
  expect(stored.toSorted()).toEqual(answered.toSorted());
  await close();
}
