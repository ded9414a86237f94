import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MEDIA_BYTES } from '../../src/domain/limits.ts';
import { box, ftyp, mdat, moov, words } from '../support/hostile-films.ts';
import { unfoldingPdf } from '../support/hostile-pdfs.ts';
import { vastPng } from '../support/hostile-pictures.ts';
import { signUp } from '../support/http-evening.ts';
import { newFolder, peakMemory, type SpawnedServer, spawnServer } from '../support/server.ts';
import { announce, finish, idOf, MEDIA, send, upload } from '../support/uploads.ts';

const MB = 1024 * 1024;
const SIZE = 1024 * MB;
const PIECE = 128 * MB;

let folder: string;
let server: SpawnedServer;
let to: { url: string; cookie: string };
beforeAll(async () => {
  folder = await newFolder();
  server = await spawnServer({ dataDir: folder, env: { LOG_LEVEL: 'silent' } });
  to = { url: server.url, cookie: await signUp(server) };
  // Chunks that were written wait for the garbage collector, which comes every 64 MB: one round of that is no growth.
  await uploadOf(await readFile(join(MEDIA, 'index-last.mp4')), 128 * MB);
}, 120_000);
afterAll(async () => {
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const peak = () => peakMemory(server);

/** The beginning as it is, then a piece of nothing again and again, up to `size`: the test itself holds a megabyte of it. */
function streamed(beginning: Buffer, from: number, to: number): ReadableStream<Uint8Array> {
  const nothing = Buffer.alloc(MB, 7);
  let at = from;
  return new ReadableStream({
    pull(controller) {
      if (at >= to) return controller.close();
      const next = at < beginning.length ? beginning.subarray(at) : nothing;
      const chunk = next.subarray(0, to - at);
      at += chunk.length;
      controller.enqueue(new Uint8Array(chunk));
    },
  });
}

/** Uploads a film with a box of nothing behind it, in pieces as the browser does; how it ended. */
async function uploadOf(film: Buffer, size: number, type = 'free') {
  const beginning = Buffer.concat([film, box(type, Buffer.alloc(0), size - film.length)]);
  const id = idOf(await announce(to, size, { slot: 'video', filename: 'grande.mp4' }));
  for (let at = 0; at < size; at += PIECE) {
    const end = Math.min(size, at + PIECE);
    const answer = await send(to, id, at, streamed(beginning, at, end), {
      headers: { 'content-length': String(end - at) },
    });
    expect(answer.status, answer.text).toBe(204);
  }
  return finish(to, id);
}

test('a gigabyte that is kept makes the server no larger', async () => {
  const before = peak();
  const { body } = await uploadOf(await readFile(join(MEDIA, 'good.mp4')), SIZE);
  expect([body.item?.size, body.item?.warnings]).toEqual([SIZE, ['HEAVY']]);
  expect(peak() - before).toBeLessThan(50 * MB);
  expect(await readdir(join(folder, 'uploads'))).toEqual([]);
}, 300_000);

test('a gigabyte that is refused at the end makes it no larger either, and leaves the disk free', async () => {
  const before = peak();
  const { body } = await uploadOf(await readFile(join(MEDIA, 'hevc-hvc1.mp4')), SIZE, 'mdat');
  expect(body.codice).toBe('FILE_VIDEO_HEVC');
  expect(peak() - before).toBeLessThan(50 * MB);
  expect(await readdir(join(folder, 'uploads'))).toEqual([expect.stringMatching(/\.refused$/)]);
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
