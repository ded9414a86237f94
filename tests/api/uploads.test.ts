import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DAY_MS, DISK_SPACE, UPLOAD_PIECE } from '../../src/domain/limits.ts';
import { sweepUploads, sweepUploadsAtStart } from '../../src/server/features/uploads/arrivals.ts';
import { type Answered, call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  announce,
  arrived,
  cancel,
  finish,
  idOf,
  MEDIA,
  offsetOf,
  send,
  ticketsOf,
} from '../support/uploads.ts';

const [MB, MINUTE_MS] = [1024 * 1024, 60_000];
const REFUSED = JSON.stringify({ codice: 'FILE_BROKEN', slot: 'video', filename: 'film.mp4', size: 100 });

let server: TestServer;
let to: { url: string; cookie: string };
let tickets: Buffer;
let ahead = 0;
beforeAll(async () => {
  server = await startServer({ now: () => new Date(Date.now() + ahead) });
  to = { url: server.url, cookie: await signUp(server) };
  tickets = await ticketsOf(1.5 * MB);
});
afterEach(() => {
  vi.restoreAllMocks();
  ahead = 0;
});
afterAll(() => server.stop());

const at = (name: string) => join(server.deps.env.DATA_DIR, 'uploads', name);
const folder = async () => (await readdir(at(''))).toSorted();
const code = ({ status, body }: Answered) => (status < 400 ? status : body.codice);
const announced = (size: number | string, slot = 'video') =>
  announce(to, size, { slot, filename: 'film.mp4' });
const begun = async (size: number, slot = 'video') => idOf(await announced(size, slot));
const freeBytes = (bytes: number) =>
  vi.spyOn(server.deps.uploads.folder, 'freeBytes').mockResolvedValue(bytes);

/** Expects that the upload of the tickets is stored byte for byte. */
async function expectStored(id: string): Promise<void> {
  const { body } = await finish(to, id);
  expect(body).toMatchObject({ state: 'done', item: { size: tickets.length } });
  const response = await fetch(`${to.url}${body.item.url}`, { headers: { cookie: to.cookie } });
  expect(Buffer.from(await response.arrayBuffer()).equals(tickets)).toBe(true);
}

/** Sends some bytes, and then nothing: the request stays open. */
async function hanging(id: string, bytes: Buffer): Promise<() => void> {
  const leaving = new AbortController();
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) });
  void send(to, id, 0, body, { signal: leaving.signal }).catch(() => undefined);
  await expect.poll(() => arrived(server, id)).toBeGreaterThanOrEqual(bytes.length);
  return () => leaving.abort();
}

describe('upload', () => {
  test('resumes at its offset, also while its first request still hangs', async () => {
    for (const cutFirst of [true, false]) {
      const id = await begun(tickets.length, 'biglietti');
      const end = await hanging(id, tickets.subarray(0, MB));
      if (cutFirst) {
        end();
        expect(await offsetOf(to, id)).toBe(MB);
      }
      expect(code(await send(to, id, MB, tickets.subarray(MB)))).toBe(204);
      end();
      await expectStored(id);
    }
    await expect.poll(folder).toEqual([]);
  });

  test('accepts bytes only at its offset, and no more than were announced', async () => {
    const id = await begun(100);
    const bytes = Buffer.alloc(40);
    expect(code(await send(to, id, 40, bytes))).toBe('UPLOAD_CONFLICT');
    expect(code(await send(to, id, 0, bytes))).toBe(204);
    expect(code(await send(to, id, 0, bytes))).toBe('UPLOAD_CONFLICT');
    expect(code(await send(to, id, 40, Buffer.alloc(61)))).toBe('FILE_TOO_LARGE');
    expect(code(await send(to, id, 'x', bytes))).toBe('BAD_INPUT');
    expect(await offsetOf(to, id)).toBe(40);
    await cancel(to, id);
  });

  test('is deleted with its bytes if it is cancelled', async () => {
    const id = await begun(100);
    await send(to, id, 0, Buffer.alloc(50));
    expect((await cancel(to, id)).status).toBe(204);
    expect([code(await cancel(to, id)), code(await finish(to, id))]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(await offsetOf(to, id)).toBeNull();
    await expect.poll(folder).toEqual([]);
  });

  test('refuses to be read, and leads to no other file', async () => {
    const id = await begun(100);
    // Incomplete: a complete one is processed, and refused.
    await send(to, id, 0, Buffer.from('<script>alert(1)</script>'.padEnd(99)));
    expect(code(await finish(to, id))).toBe('UPLOAD_UNFINISHED');
    const read = async (path: string) => code(await call(to.url, 'GET', path, undefined, to));
    expect(await read(`/admin/uploads/${id}`)).toBe('METHOD_NOT_ALLOWED');
    for (const path of [`/media/${id}.mp4`, `/uploads/${id}`]) expect(await read(path)).toBe('NOT_FOUND');
    for (const odd of ['..%2f..%2fsorpresa.db', `${'0'.repeat(32)}.json`, '%00'])
      expect([400, 404]).toContain((await send(to, odd, 0, Buffer.alloc(1))).status);
    await cancel(to, id);
  });
});

describe('announced upload', () => {
  test('has at least one byte and at most the limit of its slot, which the installation sets for films', async () => {
    for (const [slot, maxMB] of [
      ['video', server.deps.env.MAX_VIDEO_MB],
      ['canzone', 50],
      ['biglietti_2', 20],
    ] as const) {
      const good = await announced(maxMB * MB, slot);
      await cancel(to, idOf(good));
      const [over, empty] = [await announced(maxMB * MB + 1, slot), await announced(0, slot)];
      expect([code(over), code(empty)]).toEqual(['FILE_TOO_LARGE', 'FILE_EMPTY']);
      // No response allows other sites or caching.
      for (const { headers } of [good, over, empty]) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(headers.get('cache-control')).toBe('no-store');
      }
    }
    const { env } = server.deps;
    const before = env.MAX_VIDEO_MB;
    env.MAX_VIDEO_MB = 1;
    expect(code(await announced(MB + 1))).toBe('FILE_TOO_LARGE');
    env.MAX_VIDEO_MB = before;
  });

  test('requires its slot, its name and its length', async () => {
    const good = { slot: 'video', filename: 'a.mp4' };
    const note = (signs: number) => ({ slot: 'video', filename: 'a', note: 'x'.repeat(signs) });
    // `slot dmlkZW8=,filename YQ==,note …`: base64 has four characters for three bytes.
    const maxSigns = Math.floor((4_096 - 'slot dmlkZW8=,filename YQ==,note '.length) / 4) * 3;
    await cancel(to, idOf(await announce(to, 100, note(maxSigns))));
    for (const odd of [{ filename: 'a.mp4' }, { ...good, slot: '__proto__' }, note(maxSigns + 1)])
      expect(code(await announce(to, 100, odd as never))).toBe('BAD_INPUT');
    expect(code(await announce(to, 100, { slot: 'video' }))).toBe('FILE_REQUIRED');
    for (const size of ['', '-1', '1.5', '9007199254740993'])
      expect(code(await announced(size)), size).toBe('BAD_INPUT');
    expect(code(await announce(to, 100, good, { 'upload-defer-length': '1' }))).toBe('BAD_INPUT');
    await expect.poll(folder).toEqual([]);
  });

  test('requires three times its size, in addition to the bytes still missing from the others', async () => {
    const id = await begun(1_000);
    await send(to, id, 0, Buffer.alloc(400));
    const room = 3 * 5_000 + 600 + DISK_SPACE.low;
    freeBytes(room - 1);
    expect(code(await announced(5_000))).toBe('STORAGE_FULL');
    freeBytes(room);
    for (const each of [await begun(5_000), id]) await cancel(to, each);
  });

  test('refuses a piece that would fill the disk, on a connection that stays open', async () => {
    const size = UPLOAD_PIECE.defaultBytes;
    const id = await begun(size + 1);
    freeBytes(DISK_SPACE.files + size - 1);
    const refused = await send(to, id, 0, Buffer.alloc(size));
    expect([refused.status, refused.headers.get('connection')]).toEqual([507, 'keep-alive']);
    expect(await offsetOf(to, id)).toBe(0);
    freeBytes(DISK_SPACE.files + size);
    expect((await send(to, id, 0, Buffer.alloc(size))).status).toBe(204);
    await cancel(to, id);
  });

  test('is accepted as the eleventh only if one was idle for ten minutes; the one idle longest is deleted', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await begun(100));
    const touch = async (id: string, minutes: number) => {
      const then = new Date(Date.now() - minutes * MINUTE_MS);
      await utimes(at(id), then, then);
    };
    const [longest = '', long = '', notYet = ''] = ids.slice(4);
    await touch(notYet, 9.5);
    expect(code(await announced(100))).toBe('UPLOADS_BUSY');
    await touch(longest, 12);
    await touch(long, 10.5);
    ids.push(await begun(100));
    expect([await offsetOf(to, longest), await offsetOf(to, long)]).toEqual([null, 0]);
    for (const id of ids) await cancel(to, id);
  });
});

describe('sweep of uploads', () => {
  test('removes an upload 24 hours after its last byte', async () => {
    const id = await begun(100);
    await send(to, id, 0, Buffer.alloc(50));
    ahead = DAY_MS - MINUTE_MS;
    await sweepUploads(server.deps);
    expect(await offsetOf(to, id)).toBe(50);
    ahead = DAY_MS + MINUTE_MS;
    await sweepUploads(server.deps);
    expect(await offsetOf(to, id)).toBeNull();
    await expect.poll(folder).toEqual([]);
  });

  test('removes what can’t be resumed after a while, and at the start', async () => {
    const id = await begun(100);
    await send(to, id, 0, Buffer.alloc(50));
    const [torn = '', unsaid, refused] = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    const part = `${id}.${'d'.repeat(16)}.part`;
    const leftovers = [torn, `${unsaid}.json`, `${id}.made`, `${id}.poster`, part, 'notes.txt'];
    const useful = [id, `${id}.json`, `${refused}.refused`].toSorted();
    for (const name of [...leftovers, `${refused}.refused`]) await writeFile(at(name), REFUSED);
    for (const name of ['folder', `${id}.many`]) await mkdir(at(name));
    await sweepUploads(server.deps);
    await expect.poll(folder).toEqual([...leftovers, ...useful, `${id}.many`, 'folder'].toSorted());
    ahead = 11 * MINUTE_MS;
    await sweepUploads(server.deps);
    ahead = 0;
    await expect.poll(folder).toEqual(useful);
    await writeFile(at(torn), 'x');
    const later = new Date(Date.now() + MINUTE_MS);
    await utimes(at(torn), later, later);
    await sweepUploadsAtStart(server.deps);
    await expect.poll(folder).toEqual(useful);
    expect(await offsetOf(to, id)).toBe(50);
    for (const name of await folder()) await rm(at(name));
  });

  test('removes the reason of a refusal after a day, and reports it until then', async () => {
    const film = (await readFile(join(MEDIA, 'good.mp4'))).fill(0xee, 1_000);
    const id = await begun(film.length);
    await send(to, id, 0, film);
    for (let times = 0; times < 2; times += 1)
      expect(await finish(to, id)).toMatchObject({ status: 422, body: { codice: 'FILE_BROKEN' } });
    expect(await offsetOf(to, id)).toBeNull();
    await expect.poll(folder).toEqual([`${id}.refused`]);
    ahead = DAY_MS + MINUTE_MS;
    await sweepUploads(server.deps);
    await expect.poll(folder).toEqual([]);
  });
});
