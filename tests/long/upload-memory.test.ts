import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MEDIA_BYTES } from '../../src/domain/limits.ts';
import { box, ftyp, mdat, moov, words } from '../support/hostile-films.ts';
import { unfoldingPdf } from '../support/hostile-pdfs.ts';
import { vastPng } from '../support/hostile-pictures.ts';
import { signUp } from '../support/http-evening.ts';
import { type PreparedServer, spawnPrepared } from '../support/prepared-server.ts';
import { peakMemory } from '../support/server.ts';
import { announce, finish, idOf, MEDIA, send, upload } from '../support/uploads.ts';

const MB = 1024 * 1024;
/** Many times what the server may grow by. */
const SIZE = 1024 * MB;
const PIECE = 64 * MB;

let server: PreparedServer<string>;
let to: { url: string; cookie: string };
beforeAll(async () => {
  server = await spawnPrepared(signUp, { LOG_LEVEL: 'silent' });
  to = { url: server.url, cookie: server.prepared };
  // Chunks that were written wait for the garbage collector, which comes every 64 MB: one round of that is no growth.
  await uploadOf(await padded('index-last.mp4', 'free', 128 * MB));
});
afterAll(() => server.stop());

const peak = () => peakMemory(server);
const waiting = () => readdir(join(server.folder, 'uploads'));
/** The file is kept before what it was made of is removed: of a gigabyte that takes a moment. */
const PATIENCE = { timeout: 30_000 };

/** A file whose rest may be anything: then it is a piece of the same again and again, and the test holds a megabyte of it. */
type Large = { beginning: Buffer; size: number };

const MIDDLE = Buffer.alloc(MB, 7);

/** What follows at a place of it. */
function after(at: number, { beginning, size }: Large): Buffer {
  return at < beginning.length ? beginning.subarray(at) : MIDDLE.subarray(0, size - at);
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
async function padded(name: string, type: string, size = SIZE): Promise<Large> {
  const film = await readFile(join(MEDIA, name));
  return { beginning: Buffer.concat([film, box(type, Buffer.alloc(0), size - film.length)]), size };
}

/** The same, of which nothing can be decoded. */
async function spoilt(): Promise<Large> {
  const { beginning, size } = await padded('good.mp4', 'free');
  return { beginning: beginning.fill(0xee, beginning.indexOf('mdat') + 4, beginning.length - 8), size };
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
  expect([body.item?.size < MB, body.item?.warnings]).toEqual([true, []]);
  expect(peak() - before).toBeLessThan(50 * MB);
  await expect.poll(waiting, PATIENCE).toEqual([]);
}, 300_000);

test('a large film that is refused at the end makes it no larger either, and leaves the disk free', async () => {
  const before = peak();
  const { body } = await uploadOf(await spoilt());
  expect(body.codice).toBe('FILE_BROKEN');
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
    ['biglietti', unfoldingPdf(512 * MB), 'FILE_TOO_HARD'],
    ['video', Buffer.concat([ftyp(), moov(manySamples), mdat()]), 'FILE_BROKEN'],
    ['video', Buffer.concat([ftyp(), moov({ stts: words(0, 1, 0xff_ff_ff_ff, 1) }), mdat()]), 'FILE_BROKEN'],
  ];
  for (const [slot, bytes, fate] of bombs) expect((await upload(to, slot, bytes)).body.codice).toBe(fate);
  expect(peak() - before).toBeLessThan(50 * MB);
});
