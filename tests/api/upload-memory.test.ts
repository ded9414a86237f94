import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MEDIA_BYTES } from '../../src/domain/limits.ts';
import { box, ftyp, mdat, moov, words } from '../support/hostile-films.ts';
import { unfoldingPdf } from '../support/hostile-pdfs.ts';
import { vastPng } from '../support/hostile-pictures.ts';
import { signUp } from '../support/http-evening.ts';
import { ofLong } from '../support/long.ts';
import { longFilm } from '../support/long-film.ts';
import { type PreparedServer, spawnPrepared } from '../support/prepared-server.ts';
import { peakMemory } from '../support/server.ts';
import { announce, finish, idOf, MEDIA, send, upload } from '../support/uploads.ts';

const MB = 1024 * 1024;
/** A quarter of a gigabyte is five times what the server may grow by. */
const SIZE = ofLong(1024, 256) * MB;
const PIECE = 64 * MB;

let server: PreparedServer<string>;
let to: { url: string; cookie: string };
beforeAll(async () => {
  server = await spawnPrepared(signUp, { LOG_LEVEL: 'silent' });
  to = { url: server.url, cookie: server.prepared };
  // Chunks that were written wait for the garbage collector, which comes every 64 MB: one round of that is no growth.
  await uploadOf(longFilm(await readFile(join(MEDIA, 'index-last.mp4')), { seconds: 60, bytes: 128 * MB }));
}, 120_000);
afterAll(() => server.stop());

const peak = () => peakMemory(server);
const waiting = () => readdir(join(server.folder, 'uploads'));
/** The file is kept before what it was made of is removed: of a gigabyte that takes a moment. */
const PATIENCE = { timeout: 30_000 };

/** A file whose middle may be anything: then it is a piece of the same again and again, and the test holds a megabyte of it. */
type Large = { beginning: Buffer; index?: Buffer; size: number };

const MIDDLE = Buffer.alloc(MB, 7);

/** What follows at a place of it. */
function after(at: number, { beginning, index = Buffer.alloc(0), size }: Large): Buffer {
  const end = size - index.length;
  if (at >= end) return index.subarray(at - end);
  return at < beginning.length ? beginning.subarray(at) : MIDDLE.subarray(0, end - at);
}

function streamed(file: Large, from: number, to: number): ReadableStream<Uint8Array> {
  let at = from;
  return new ReadableStream({
    pull(controller) {
      if (at >= to) return controller.close();
      const chunk = after(at, file).subarray(0, to - at);
      at += chunk.length;
      controller.enqueue(new Uint8Array(chunk));
    },
  });
}

/** A film of a few seconds with a box of nothing behind it. */
async function padded(name: string, type: string): Promise<Large> {
  const film = await readFile(join(MEDIA, name));
  return { beginning: Buffer.concat([film, box(type, Buffer.alloc(0), SIZE - film.length)]), size: SIZE };
}

/** Uploads it in pieces as the browser does; how it ended. */
async function uploadOf(file: Large) {
  const { size } = file;
  const id = idOf(await announce(to, size, { slot: 'video', filename: 'grande.mp4' }));
  for (let at = 0; at < size; at += PIECE) {
    const end = Math.min(size, at + PIECE);
    const answer = await send(to, id, at, streamed(file, at, end), {
      headers: { 'content-length': String(end - at) },
    });
    expect(answer.status, answer.text).toBe(204);
  }
  return finish(to, id);
}

test('a large film that is kept makes the server no larger', async () => {
  const before = peak();
  const { body } = await uploadOf(await padded('good.mp4', 'free'));
  expect([body.item?.size, body.item?.warnings]).toEqual([SIZE, ['HEAVY']]);
  expect(peak() - before).toBeLessThan(50 * MB);
  await expect.poll(waiting, PATIENCE).toEqual([]);
}, 300_000);

test.each([
  ['QuickTime, an hour of it', 'iphone.mov', 3_600],
  ['MP4 with its index at the end', 'index-last.mp4', 780],
])(
  'a large film that is rewritten makes it no larger: %s',
  async (_what, name, seconds) => {
    const film = longFilm(await readFile(join(MEDIA, name)), { seconds, bytes: SIZE });
    const before = peak();
    const { body } = await uploadOf(film);
    expect(body.item?.size).toBeGreaterThan(0.98 * SIZE);
    expect(peak() - before).toBeLessThan(50 * MB);
    expect(await beginningOf(body.item.url)).toEqual(['ftyp', 'moov', 'mdat']);
    await expect.poll(waiting, PATIENCE).toEqual([]);
  },
  300_000,
);

/** The first boxes of a file. */
async function beginningOf(url: string): Promise<string[]> {
  const headers = { cookie: to.cookie, range: `bytes=0-${8 * MB - 1}` };
  const bytes = Buffer.from(await (await fetch(`${to.url}${url}`, { headers })).arrayBuffer());
  const types: string[] = [];
  for (let at = 0; at + 8 <= bytes.length && types.length < 3; at += bytes.readUInt32BE(at))
    types.push(bytes.toString('latin1', at + 4, at + 8));
  return types;
}

test('a large film that is refused at the end makes it no larger either, and leaves the disk free', async () => {
  const before = peak();
  const { body } = await uploadOf(await padded('hevc-hvc1.mp4', 'mdat'));
  expect(body.codice).toBe('FILE_VIDEO_HEVC');
  expect(peak() - before).toBeLessThan(50 * MB);
  await expect.poll(waiting, PATIENCE).toEqual([expect.stringMatching(/\.refused$/)]);
}, 300_000);

test('what is too large is refused before its first byte', async () => {
  const announced = await announce(to, MEDIA_BYTES.video + 1, { slot: 'video', filename: 'x.mp4' });
  expect([announced.status, announced.body.codice]).toEqual([413, 'FILE_TOO_LARGE']);
});

test('what unfolds into much more than it is costs little of it', async () => {
  const before = peak();
  const manySamples = { stsz: words(0, 1, 3_000_000), stsc: words(0, 1, 1, 3_000_000, 1) };
  const bombs: [string, Buffer, string][] = [
    ['immagine', vastPng(60_000, 60_000), 'FILE_IMAGE_TOO_BIG'],
    ['immagine', vastPng(8_000, 7_999), 'FILE_TRUNCATED'],
    ['biglietti', unfoldingPdf(512 * MB), 'FILE_BROKEN'],
    ['video', Buffer.concat([ftyp(), moov(manySamples), mdat()]), 'FILE_TRUNCATED'],
    ['video', Buffer.concat([ftyp(), moov({ stts: words(0, 1, 0xff_ff_ff_ff, 1) }), mdat()]), 'FILE_BROKEN'],
  ];
  for (const [slot, bytes, fate] of bombs) expect((await upload(to, slot, bytes)).body.codice).toBe(fate);
  // The thread that reads a PDF and the library that opens pictures are part of it.
  expect(peak() - before).toBeLessThan(256 * MB);
}, 120_000);
