import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Upload as Client } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MEDIA_BYTES } from '../../src/domain/limits.ts';
import { SLOT_NAMES } from '../../src/domain/media-slots.ts';
import { sweepUploads, sweepUploadsAtStart } from '../../src/server/features/uploads/uploads.sweeper.ts';
import { type Answered, call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  announce,
  cancel,
  finish,
  idOf,
  MEDIA,
  offsetOf,
  send,
  ticketsOf,
  upload,
} from '../support/uploads.ts';

const REFUSED = JSON.stringify({ codice: 'FILE_BROKEN', slot: 'video', filename: 'film.mp4', size: 100 });
const [MB, DAY_MS] = [1024 * 1024, 24 * 3_600_000];

let server: TestServer;
let cookie: string;
let now: Date | null = null;
beforeAll(async () => {
  server = await startServer({ now: () => now ?? new Date() });
  cookie = await signUp(server);
});
afterAll(() => server.stop());

const to = () => ({ url: server.url, cookie });
const folder = () => readdir(join(server.deps.env.DATA_DIR, 'uploads'));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const code = ({ status, body }: Answered) => (status < 400 ? status : body.codice);

async function begun(size: number, slot = 'video'): Promise<string> {
  return idOf(await announce(to(), size, { slot, filename: 'film.mp4' }));
}

async function stored(url: string): Promise<Buffer> {
  const response = await fetch(`${server.url}${url}`, { headers: { cookie } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Sends the head of a PATCH and some of its bytes, and then nothing: the connection stays open. */
function hanging(id: string, whole: number, bytes: Buffer): Promise<{ end(): void }> {
  const { hostname, port, origin } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = [
    `PATCH /api/admin/uploads/${id} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${origin}`,
    `Cookie: ${cookie}`,
    'Tus-Resumable: 1.0.0',
    'Upload-Offset: 0',
    'Content-Type: application/offset+octet-stream',
    `Content-Length: ${whole}`,
  ];
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(bytes, () => resolve({ end: () => void socket.destroy() }));
  });
}

/** Until the server has so many bytes of it on its disk. */
async function arrived(id: string, bytes: number): Promise<void> {
  await expect
    .poll(async () => (await server.deps.uploads.folder.find(id))?.offset ?? 0, { timeout: 10_000 })
    .toBeGreaterThanOrEqual(bytes);
}

describe('an upload', () => {
  test('cut at 40 % goes on where it was, and arrives byte for byte', async () => {
    const tickets = await ticketsOf(5 * MB);
    const id = await begun(tickets.length, 'biglietti');
    const cut = await hanging(id, tickets.length, tickets.subarray(0, 2 * MB));
    await arrived(id, 2 * MB);
    cut.end();
    expect(await offsetOf(to(), id)).toBe(2 * MB);
    expect(await send(to(), id, 2 * MB, tickets.subarray(2 * MB))).toMatchObject({ status: 204 });
    const { status, body } = await finish(to(), id);
    expect([status, body.state, body.item.size]).toEqual([200, 'done', tickets.length]);
    expect(sha256(await stored(body.item.url))).toBe(sha256(tickets));
    await expect.poll(folder).toEqual([]);
  });

  test('whose first request still hangs lets the second one in', async () => {
    const tickets = await ticketsOf(MB);
    const id = await begun(tickets.length, 'biglietti');
    const half = Math.floor(tickets.length / 2);
    const hung = await hanging(id, tickets.length, tickets.subarray(0, half));
    await arrived(id, half);
    expect(await send(to(), id, half, tickets.subarray(half))).toMatchObject({ status: 204 });
    hung.end();
    const { body } = await finish(to(), id);
    expect(sha256(await stored(body.item.url))).toBe(sha256(tickets));
  });

  test('sent from two windows at once stays whole', async () => {
    const tickets = await ticketsOf(3 * MB);
    const id = await begun(tickets.length, 'biglietti');
    const both = await Promise.all([send(to(), id, 0, tickets), send(to(), id, 0, tickets)]);
    for (const answer of both) expect([204, 'UPLOAD_CONFLICT']).toContain(code(answer));
    const offset = (await offsetOf(to(), id)) ?? 0;
    if (offset < tickets.length) await send(to(), id, offset, tickets.subarray(offset));
    const { body } = await finish(to(), id);
    expect(sha256(await stored(body.item.url))).toBe(sha256(tickets));
  });

  test('takes bytes only where it stands, and no more than were announced', async () => {
    const id = await begun(100);
    const bytes = Buffer.alloc(40);
    expect(code(await send(to(), id, 40, bytes))).toBe('UPLOAD_CONFLICT');
    expect(code(await send(to(), id, 0, bytes))).toBe(204);
    expect(code(await send(to(), id, 0, bytes))).toBe('UPLOAD_CONFLICT');
    expect(code(await send(to(), id, 40, Buffer.alloc(61)))).toBe('FILE_TOO_LARGE');
    expect(await offsetOf(to(), id)).toBe(40);
    for (const offset of ['-1', '1.5', 'x', '1e1', ''])
      expect(code(await send(to(), id, offset, bytes))).toBe('BAD_INPUT');
    expect(code(await send(to(), id, 40, bytes, { headers: { 'content-type': 'video/mp4' } }))).toBe(
      'BAD_INPUT',
    );
    expect(code(await send(to(), id, 40, bytes, { headers: { 'tus-resumable': '0.2.2' } }))).toBe(
      'BAD_INPUT',
    );
    await cancel(to(), id);
  });

  test('streamed without a length stops at what was announced', async () => {
    const id = await begun(100);
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    });
    const answer = await send(to(), id, 0, endless).catch(() => null);
    if (answer !== null) expect(code(answer)).toBe('FILE_TOO_LARGE');
    expect(await offsetOf(to(), id)).toBeLessThanOrEqual(100);
    await cancel(to(), id);
  });

  test('that is cancelled is gone, bytes and all', async () => {
    const id = await begun(100);
    await send(to(), id, 0, Buffer.alloc(50));
    expect((await cancel(to(), id)).status).toBe(204);
    expect(code(await cancel(to(), id))).toBe('NOT_FOUND');
    expect(await offsetOf(to(), id)).toBeNull();
    expect(code(await finish(to(), id))).toBe('NOT_FOUND');
    await expect.poll(folder).toEqual([]);
  });

  test('nobody goes on with expires 24 hours after its last byte', async () => {
    const id = await begun(100);
    await send(to(), id, 0, Buffer.alloc(50));
    now = new Date(Date.now() + DAY_MS - 60_000);
    await sweepUploads(server.deps);
    expect(await offsetOf(to(), id)).toBe(50);
    now = new Date(Date.now() + DAY_MS + 60_000);
    await sweepUploads(server.deps);
    now = null;
    expect(await offsetOf(to(), id)).toBeNull();
    await expect.poll(folder).toEqual([]);
  });

  test('what nobody can go on with goes at the start and after a while; what can, and why one was refused, stays', async () => {
    const id = await begun(100);
    await send(to(), id, 0, Buffer.alloc(50));
    const [torn, unsaid, refused] = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    const leftovers = [
      `${torn}`,
      `${unsaid}.json`,
      `${id}.made`,
      `${id}.poster`,
      `${id}.${'d'.repeat(16)}.part`,
      'notes.txt',
    ];
    const at = (name: string) => join(server.deps.env.DATA_DIR, 'uploads', name);
    for (const name of [...leftovers, `${refused}.refused`]) await writeFile(at(name), REFUSED);
    for (const name of ['folder', `${id}.many`]) await mkdir(at(name));
    await sweepUploads(server.deps);
    await expect
      .poll(async () => (await folder()).toSorted())
      .toEqual([...leftovers, id, `${id}.json`, `${id}.many`, `${refused}.refused`, 'folder'].toSorted());
    const useful = [id, `${id}.json`, `${refused}.refused`].toSorted();
    now = new Date(Date.now() + 11 * 60_000);
    await sweepUploads(server.deps);
    now = null;
    await expect.poll(async () => (await folder()).toSorted()).toEqual(useful);
    await writeFile(at(torn ?? ''), 'x');
    const ahead = new Date(Date.now() + 60_000);
    await utimes(at(torn ?? ''), ahead, ahead);
    await sweepUploadsAtStart(server.deps);
    await expect.poll(async () => (await folder()).toSorted()).toEqual(useful);
    expect(await offsetOf(to(), id)).toBe(50);
    for (const name of await folder()) await rm(at(name));
  });

  test('has no address from which anybody could read it', async () => {
    const id = await begun(100);
    // Not all of it: a whole one is worked on, and refused before it is cancelled where the machine is fast.
    await send(to(), id, 0, Buffer.from('<script>alert(1)</script>'.padEnd(99)));
    for (const path of [`/admin/uploads/${id}`, `/admin/uploads/${id}.json`, `/admin/uploads/${id}/finish`])
      expect(code(await call(server.url, 'GET', path, undefined, { cookie }))).toBe('METHOD_NOT_ALLOWED');
    for (const path of [`/media/${id}.mp4`, `/media/${id}`, `/uploads/${id}`])
      expect(code(await call(server.url, 'GET', path, undefined, { cookie }))).toBe('NOT_FOUND');
    await cancel(to(), id);
  });

  test('with an id that is none is not found', async () => {
    for (const id of ['x', '..%2f..%2fsorpresa.db', 'secret-auth', `${'0'.repeat(32)}.json`, '%00', '%ff'])
      expect([400, 404]).toContain((await send(to(), id, 0, Buffer.alloc(1))).status);
  });
});

test('the browser’s own client: stopped on its way, it goes on with the same upload', async () => {
  const tickets = await ticketsOf(3 * MB);
  const options = {
    endpoint: `${server.url}/api/admin/uploads`,
    metadata: { slot: 'biglietti', filename: 'dal browser.pdf' },
    headers: { cookie, origin: server.url },
    chunkSize: MB / 2,
    retryDelays: null,
  };
  const address = await new Promise<string>((resolve, reject) => {
    const first = new Client(tickets, {
      ...options,
      onError: reject,
      onChunkComplete(_size, accepted) {
        if (accepted >= 1.2 * MB) void first.abort().then(() => resolve(first.url ?? ''));
      },
    });
    first.start();
  });
  const id = address.split('/').at(-1) ?? '';
  const before = (await offsetOf(to(), id)) ?? 0;
  expect(before).toBeGreaterThan(MB);
  expect(before).toBeLessThan(tickets.length);
  await new Promise<void>((resolve, reject) => {
    new Client(tickets, {
      ...options,
      uploadUrl: address,
      onError: reject,
      onSuccess: () => resolve(),
    }).start();
  });
  const { body } = await finish(to(), id);
  expect(sha256(await stored(body.item.url))).toBe(sha256(tickets));
});

describe('who may send files', () => {
  test('the administrator, from our own pages', async () => {
    const id = await begun(100);
    const stranger = { url: server.url, cookie: '' };
    expect(code(await announce(stranger, 100, { slot: 'video', filename: 'a.mp4' }))).toBe(
      'SIGN_IN_REQUIRED',
    );
    expect(code(await send(stranger, id, 0, Buffer.alloc(1)))).toBe('SIGN_IN_REQUIRED');
    expect(await offsetOf(stranger, id)).toBeNull();
    expect(code(await cancel(stranger, id))).toBe('SIGN_IN_REQUIRED');
    const elsewhere = { headers: { origin: 'https://altrove.example' } };
    expect(code(await send(to(), id, 0, Buffer.alloc(1), elsewhere))).toBe('FORBIDDEN_ORIGIN');
    const announced = await announce(to(), 100, { slot: 'video', filename: 'a.mp4' }, elsewhere.headers);
    expect(code(announced)).toBe('FORBIDDEN_ORIGIN');
    expect(await offsetOf(to(), id)).toBe(0);
    await cancel(to(), id);
  });

  test('no answer invites other sites', async () => {
    const announced = await announce(to(), 100, { slot: 'video', filename: 'a.mp4' });
    const refused = await announce(to(), 0, { slot: 'video', filename: 'a.mp4' });
    for (const { headers } of [announced, refused]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect(announced.headers.get('location')).toMatch(/^\/api\/admin\/uploads\/[0-9a-f]{32}$/);
    await cancel(to(), idOf(announced));
  });
});

describe('what is announced', () => {
  const LARGEST_MB: Record<string, number> = { video: 2_048, canzone: 50 };

  test.each(SLOT_NAMES)('%s: no more than the limit, no less than a byte', async (slot) => {
    const maxBytes = (LARGEST_MB[slot] ?? 20) * MB;
    const announced = await announce(to(), maxBytes, { slot, filename: 'a' });
    await cancel(to(), idOf(announced));
    expect(code(await announce(to(), maxBytes + 1, { slot, filename: 'a' }))).toBe('FILE_TOO_LARGE');
    expect(code(await announce(to(), 0, { slot, filename: 'a' }))).toBe('FILE_EMPTY');
  });

  test('must say what it is for, how it is called and how long it is', async () => {
    const good = { slot: 'video', filename: 'a.mp4' };
    for (const metadata of [
      { filename: 'a.mp4' },
      { ...good, slot: 'altro' },
      { ...good, slot: '__proto__' },
    ])
      expect(code(await announce(to(), 100, metadata as Record<string, string>))).toBe('BAD_INPUT');
    expect(code(await announce(to(), 100, { slot: 'video' }))).toBe('FILE_REQUIRED');
    for (const size of ['', '-1', '1.5', 'NaN', '1e3', '9007199254740993', 'x'])
      expect(code(await announce(to(), size, good))).toBe('BAD_INPUT');
    expect(code(await announce(to(), 100, { ...good, filename: 'a'.repeat(5_000) }))).toBe('BAD_INPUT');
    for (const headers of [
      { 'upload-metadata': 'a b c' },
      { 'upload-metadata': '' },
      { 'upload-defer-length': '1' },
      { 'upload-concat': 'partial' },
    ] as Record<string, string>[])
      expect(code(await announce(to(), 100, good, headers))).toBe('BAD_INPUT');
    await expect.poll(folder).toEqual([]);
  });

  test('no more than ten are unfinished; one that nobody goes on with gives way', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 10; i += 1) ids.push(await begun(100));
    expect(code(await announce(to(), 100, { slot: 'video', filename: 'a' }))).toBe('UPLOADS_BUSY');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(server.deps.env.DATA_DIR, 'uploads', ids[3] ?? ''), anHourAgo, anHourAgo);
    const eleventh = await begun(100);
    expect(await offsetOf(to(), ids[3] ?? '')).toBeNull();
    for (const id of [...ids, eleventh]) await cancel(to(), id);
  });
});

test('an installation may allow larger or smaller videos; what the disk has no room for is refused at once', async () => {
  const small = await startServer({ env: { MAX_VIDEO_MB: '1' } });
  const large = await startServer({ env: { MAX_VIDEO_MB: '10000000' } });
  const announced = async (on: TestServer, size: number) =>
    announce({ url: on.url, cookie: await signUp(on) }, size, { slot: 'video', filename: 'a.mp4' });
  expect(code(await announced(small, MB + 1))).toBe('FILE_TOO_LARGE');
  const refused = await announced(large, MEDIA_BYTES.video * 4_000);
  expect([refused.status, code(refused)]).toEqual([507, 'STORAGE_FULL']);
  await Promise.all([small.stop(), large.stop()]);
});

describe('finishing', () => {
  const videos = () => server.deps.db.selectFrom('videos').selectAll().execute();

  test('waits for the last byte', async () => {
    const id = await begun(100);
    await send(to(), id, 0, Buffer.alloc(99));
    expect(code(await finish(to(), id))).toBe('UPLOAD_UNFINISHED');
    await cancel(to(), id);
  });

  test('asked by many at once and again afterwards keeps the file once', async () => {
    const film = await readFile(join(MEDIA, 'iphone.mov'));
    const id = await begun(film.length);
    await send(to(), id, 0, film);
    const before = (await videos()).length;
    const ends = await Promise.all(Array.from({ length: 8 }, () => finish(to(), id)));
    ends.push(await finish(to(), id));
    // Its light version comes in its own time.
    const light = expect.anything() as unknown;
    for (const { body } of ends)
      expect(body).toEqual({ ...ends[0]?.body, item: { ...ends[0]?.body.item, light } });
    expect(ends[0]?.body.state).toBe('done');
    expect((await videos()).length).toBe(before + 1);
  });

  test('tells a refusal again, and keeps nothing of the file', async () => {
    const film = (await readFile(join(MEDIA, 'good.mp4'))).fill(0xee, 1_000);
    const id = await begun(film.length);
    await send(to(), id, 0, film);
    expect(code(await finish(to(), id))).toBe('FILE_BROKEN');
    const again = await finish(to(), id);
    expect([again.status, code(again)]).toEqual([422, 'FILE_BROKEN']);
    expect(await offsetOf(to(), id)).toBeNull();
    await expect.poll(folder).toEqual([`${id}.refused`]);
    now = new Date(Date.now() + DAY_MS + 60_000);
    await sweepUploads(server.deps);
    now = null;
    await expect.poll(folder).toEqual([]);
  });

  test('a file that was deleted since is not found', async () => {
    const { body } = await upload(to(), 'canzone', join(MEDIA, 'song.m4a'));
    const path = `/admin/media/canzone/${body.item.id}`;
    expect((await call(server.url, 'DELETE', path, undefined, { cookie })).status).toBe(200);
    expect(code(await finish(to(), body.item.id))).toBe('NOT_FOUND');
  });
});
