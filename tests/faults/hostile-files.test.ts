import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as films from '../support/hostile-films.ts';
import * as pdfs from '../support/hostile-pdfs.ts';
import * as pictures from '../support/hostile-pictures.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { MEDIA, upload } from '../support/uploads.ts';

/** What becomes of a file: the refusal, or the media type it is kept as. */
type Fate = string;
type Case = [name: string, slot: string, fate: Fate, make: () => Buffer | Promise<Buffer>];

const { box, ftyp, mdat, moov, nested, renamed, withSize, words } = films;
const fixture = (name: string) => readFile(join(MEDIA, name));
const text = (content: string) => () => Buffer.from(content);
const joined = async (...parts: (Buffer | string | Promise<Buffer>)[]) =>
  Buffer.concat((await Promise.all(parts)).map((part) => Buffer.from(part)));
const film =
  (...parts: Buffer[]) =>
  () =>
    Buffer.concat(parts);
const cutAt = (name: string, share: number) => async () => {
  const bytes = await fixture(name);
  return bytes.subarray(0, Math.floor(bytes.length * share));
};
const jpeg = () => fixture('../picture.jpg');
const png = () => fixture('../ticket.png');
const ZIP = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), deflateRawSync(Buffer.alloc(1_000))]);
const GIB = 1024 ** 3;

const IMAGES: Case[] = [
  ['SVG called .jpg', 'immagine', 'FILE_SVG', text(pictures.SVG)],
  [
    'SVG behind a declaration and a comment',
    'immagine',
    'FILE_SVG',
    text(`<?xml version="1.0"?><!-- x -->\n${pictures.SVG}`),
  ],
  ['SVG behind a byte order mark', 'immagine', 'FILE_SVG', text(`\uFEFF  ${pictures.SVG}`)],
  ['SVG in UTF-16', 'immagine', 'FILE_SVG', () => Buffer.from(`\uFEFF${pictures.SVG}`, 'utf16le')],
  ['SVG as tickets', 'biglietti', 'FILE_SVG', text(pictures.SVG)],
  ['HTML', 'immagine', 'FILE_NOT_IMAGE', text(pictures.HTML)],
  [
    'XHTML',
    'immagine',
    'FILE_NOT_IMAGE',
    text('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
  ],
  [
    'XML that unfolds',
    'immagine',
    'FILE_NOT_IMAGE',
    text('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'),
  ],
  ['JavaScript', 'immagine', 'FILE_NOT_IMAGE', text('alert(1)//')],
  ['a shell script', 'immagine', 'FILE_NOT_IMAGE', text('#!/bin/sh\nrm -rf /\n')],
  ['one byte', 'immagine', 'FILE_NOT_IMAGE', text('\xff')],
  ['zeros', 'immagine', 'FILE_NOT_IMAGE', () => Buffer.alloc(4_096)],
  ['GIF', 'immagine', 'FILE_NOT_IMAGE', () => pictures.GIF],
  ['WebP', 'immagine', 'FILE_NOT_IMAGE', () => pictures.WEBP],
  ['AVIF', 'immagine', 'FILE_NOT_IMAGE', () => pictures.isoPicture('avif')],
  ['HEIC called .jpg', 'immagine', 'FILE_HEIC', () => pictures.isoPicture('heic')],
  ['HEIF', 'immagine', 'FILE_HEIC', () => pictures.isoPicture('mif1')],
  ['HEIC as tickets', 'biglietti', 'FILE_HEIC', () => pictures.isoPicture('heix')],
  ['a PDF', 'immagine', 'FILE_NOT_IMAGE', () => pdfs.pdf()],
  ['a ZIP', 'immagine', 'FILE_NOT_IMAGE', () => ZIP],
  ['a PNG of 100,000 by 100,000', 'immagine', 'FILE_IMAGE_TOO_BIG', () => pictures.vastPng(100_000, 100_000)],
  ['a PNG of two thousand million rows', 'immagine', 'FILE_BROKEN', () => pictures.vastPng(1, 2 ** 31 - 1)],
  [
    'a JPEG of 65,000 by 65,000',
    'immagine',
    'FILE_IMAGE_TOO_BIG',
    async () => pictures.vastJpeg(await jpeg(), 65_000, 65_000),
  ],
  [
    'a JPEG whose head says more than is there',
    'immagine',
    'FILE_TRUNCATED',
    async () => pictures.vastJpeg(await jpeg(), 6_000, 6_000),
  ],
  [
    'a PNG whose text unfolds to 128 MB',
    'immagine',
    'image/png',
    async () => pictures.wordyPng(await transparent(), GIB / 8),
  ],
  [
    'nothing but a JPEG’s first bytes',
    'immagine',
    'FILE_TRUNCATED',
    () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]),
  ],
  ['a JPEG with HTML behind its end', 'immagine', 'image/jpeg', () => joined(jpeg(), pictures.HTML)],
  ['a JPEG with a ZIP behind its end', 'immagine', 'image/jpeg', () => joined(jpeg(), ZIP)],
  ['a JPEG with a script in its comment', 'immagine', 'image/jpeg', commented],
  ['a PNG with HTML behind its end', 'biglietti', 'image/png', () => joined(png(), pictures.HTML)],
  ['a PNG with a PDF behind its end', 'biglietti', 'image/png', () => joined(png(), pdfs.pdf())],
  ['HTML with a JPEG behind it', 'immagine', 'FILE_NOT_IMAGE', () => joined(pictures.HTML, jpeg())],
];

const TICKETS: Case[] = [
  ['HTML called .pdf', 'biglietti', 'FILE_NOT_TICKETS', text(pictures.HTML)],
  ['HTML with %PDF in it', 'biglietti', 'FILE_NOT_TICKETS', text(`${pictures.HTML}%PDF-1.7\n%%EOF`)],
  ['a Word file', 'biglietti', 'FILE_NOT_TICKETS', () => ZIP],
  ['a film', 'biglietti', 'FILE_NOT_TICKETS', () => fixture('good.mp4')],
  ['a PDF locked by a password', 'biglietti', 'FILE_PDF_LOCKED', () => pdfs.lockedPdf()],
  ['a PDF cut in the middle', 'biglietti', 'FILE_TRUNCATED', cutAt('../ticket.pdf', 0.5)],
  ['a PDF without its last bytes', 'biglietti', 'FILE_TRUNCATED', cutAt('../ticket.pdf', 0.99)],
  ['nothing but a PDF’s head and end', 'biglietti', 'FILE_BROKEN', text('%PDF-1.7\n%%EOF')],
  [
    'a PDF without pages',
    'biglietti',
    'FILE_BROKEN',
    () => pdfs.pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']),
  ],
  ['a PDF whose pages are their own parents', 'biglietti', 'FILE_BROKEN', () => pdfs.endlessPdf()],
  [
    'a PDF with a part nobody needs, as deep as a stack',
    'biglietti',
    'application/pdf',
    () => pdfs.deepPdf(1_000_000),
  ],
  ['a PDF that unfolds to 256 MB', 'biglietti', 'FILE_BROKEN', () => pdfs.unfoldingPdf(GIB / 4)],
  [
    'the same with its name in disguise',
    'biglietti',
    'FILE_BROKEN',
    () => pdfs.unfoldingPdf(GIB / 4, '/Obj#53tm'),
  ],
  ['a PDF with JavaScript', 'biglietti', 'application/pdf', () => pdfs.scriptedPdf()],
  ['a PDF with HTML behind its end', 'biglietti', 'application/pdf', () => joined(pdfs.pdf(), pictures.HTML)],
];

const SONGS: Case[] = [
  ['HTML called .mp3', 'canzone', 'FILE_NOT_AUDIO', text(pictures.HTML)],
  [
    'an ID3 tag with HTML and no sound',
    'canzone',
    'FILE_NOT_AUDIO',
    () => joined(id3(pictures.HTML), pictures.HTML),
  ],
  [
    'an ID3 tag of 256 MB',
    'canzone',
    'FILE_NOT_AUDIO',
    () => Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'),
  ],
  [
    'an MP3 with HTML in its tag',
    'canzone',
    'audio/mpeg',
    () => joined(id3(pictures.HTML), fixture('../song.mp3')),
  ],
  ['a film with pictures', 'canzone', 'FILE_NOT_AUDIO', () => fixture('good.mp4')],
  ['Apple Lossless', 'canzone', 'FILE_NOT_AUDIO', () => fixture('alac.m4a')],
  ['a playlist', 'canzone', 'FILE_NOT_AUDIO', text('#EXTM3U\nhttp://169.254.169.254/latest/meta-data\n')],
  [
    'MIDI',
    'canzone',
    'FILE_NOT_AUDIO',
    () => joined('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'MTrk\0\0\0\x04\0\xff\x2f\0'),
  ],
  ['a WAV cut in the middle', 'canzone', 'FILE_TRUNCATED', cutAt('song.wav', 0.5)],
  ['a WAV without sound', 'canzone', 'FILE_NOT_AUDIO', cutAt('song.wav', 0.0002)],
  ['an M4A cut in the middle', 'canzone', 'FILE_TRUNCATED', cutAt('song.m4a', 0.5)],
  ['an OGG that is only its head', 'canzone', 'FILE_NOT_AUDIO', () => joined('OggS', Buffer.alloc(60))],
  ['a picture', 'canzone', 'FILE_NOT_AUDIO', jpeg],
];

const FILMS: Case[] = [
  ['HTML called .mp4', 'video', 'FILE_NOT_VIDEO', text(pictures.HTML)],
  ['one byte', 'video', 'FILE_NOT_VIDEO', text('x')],
  ['a picture', 'video', 'FILE_NOT_VIDEO', jpeg],
  ['HEIC called .mp4', 'video', 'FILE_NOT_VIDEO', () => pictures.isoPicture('heic')],
  ['WebM called .mp4', 'video', 'FILE_NOT_VIDEO', () => fixture('vp9.webm')],
  ['Matroska with H.264', 'video', 'FILE_NOT_VIDEO', () => fixture('matroska.mkv')],
  ['a song in an MP4', 'video', 'FILE_NOT_VIDEO', () => fixture('song.m4a')],
  ['HEVC (hvc1)', 'video', 'FILE_VIDEO_HEVC', () => fixture('hevc-hvc1.mp4')],
  ['HEVC (hev1) in QuickTime', 'video', 'FILE_VIDEO_HEVC', () => fixture('hevc-hev1.mov')],
  ['AV1', 'video', 'FILE_VIDEO_AV1', () => fixture('av1.mp4')],
  ['VP9', 'video', 'FILE_VIDEO_VP9', () => fixture('vp9.mp4')],
  ['ProRes', 'video', 'FILE_VIDEO_CODEC', () => fixture('prores.mov')],
  ['Motion JPEG', 'video', 'FILE_VIDEO_CODEC', () => fixture('mjpeg.mov')],
  ['MPEG-4 part 2', 'video', 'FILE_VIDEO_CODEC', () => fixture('mpeg4.mp4')],
  ['H.264 in ten bits', 'video', 'FILE_VIDEO_CODEC', () => fixture('high10.mp4')],
  ['H.264 in 4:4:4', 'video', 'FILE_VIDEO_CODEC', () => fixture('high444.mp4')],
  [
    'encrypted pictures',
    'video',
    'FILE_VIDEO_CODEC',
    async () => renamed(await fixture('good.mp4'), 'avc1\0', 'encv\0'),
  ],
  [
    'HEVC that calls itself H.264',
    'video',
    'FILE_VIDEO_CODEC',
    async () => renamed(await fixture('hevc-hvc1.mp4'), 'hvc1\0', 'avc1\0'),
  ],
  ['AC-3', 'video', 'FILE_AUDIO_CODEC', () => fixture('ac3.mp4')],
  ['Opus', 'video', 'FILE_AUDIO_CODEC', () => fixture('opus.mp4')],
  ['MP3 in an MP4', 'video', 'FILE_AUDIO_CODEC', () => fixture('mp3-sound.mp4')],
  ['uncompressed sound', 'video', 'FILE_AUDIO_CODEC', () => fixture('pcm.mov')],
  ...[0.1, 0.3, 0.5, 0.9, 0.999].map(
    (share): Case => [`a film cut at ${share * 100} %`, 'video', 'FILE_TRUNCATED', cutAt('good.mp4', share)],
  ),
  ...[0.3, 0.9].map(
    (share): Case => [
      `a film with its index last, cut at ${share * 100} %`,
      'video',
      'FILE_TRUNCATED',
      cutAt('index-last.mp4', share),
    ],
  ),
  ['a fragmented film cut in its first fragment', 'video', 'FILE_TRUNCATED', cutAt('fragmented.mp4', 0.1)],
  [
    'an index whose samples lie beyond the end',
    'video',
    'FILE_TRUNCATED',
    film(ftyp(), moov({ stco: words(0, 1, 0xff_ff_ff_f0) }), mdat()),
  ],
  ['nothing but a head', 'video', 'FILE_BROKEN', film(ftyp())],
  ['a head and an empty index', 'video', 'FILE_NOT_VIDEO', film(ftyp(), box('moov'), mdat())],
  [
    'a film of no samples',
    'video',
    'FILE_BROKEN',
    film(
      ftyp(),
      moov({ stsz: words(0, 0, 0), stco: words(0, 0), stsc: words(0, 0), stts: words(0, 0) }),
      mdat(),
    ),
  ],
  [
    'four thousand million samples without a size',
    'video',
    'FILE_BROKEN',
    film(ftyp(), moov({ stsz: words(0, 1, 0xff_ff_ff_ff) }), mdat()),
  ],
  [
    'a count of sizes beyond their box',
    'video',
    'FILE_BROKEN',
    film(ftyp(), moov({ stsz: words(0, 0, 1_000_000) }), mdat()),
  ],
  [
    'a count of times beyond their box',
    'video',
    'FILE_BROKEN',
    film(ftyp(), moov({ stts: words(0, 0xff_ff_ff_ff) }), mdat()),
  ],
  [
    'one time for four thousand million samples',
    'video',
    'FILE_BROKEN',
    film(ftyp(), moov({ stts: words(0, 1, 0xff_ff_ff_ff, 1) }), mdat()),
  ],
  [
    'a count of chunks beyond their box',
    'video',
    'FILE_BROKEN',
    film(ftyp(), moov({ stco: words(0, 0xff_ff_ff_ff) }), mdat()),
  ],
  ['samples without a chunk', 'video', 'FILE_BROKEN', film(ftyp(), moov({ stsc: words(0, 0) }), mdat())],
  [
    'a composition table that lies',
    'video',
    'FILE_BROKEN',
    film(ftyp(), moov({ ctts: words(0, 1, 0xff_ff_ff_ff, 0) }), mdat()),
  ],
  ['an index as deep as a stack', 'video', 'FILE_BROKEN', film(ftyp(), nested('moov', 100_000), mdat())],
  [
    'an index of a million empty boxes',
    'video',
    'FILE_BROKEN',
    () => Buffer.concat([ftyp(), box('moov', Buffer.alloc(8 * 1_000_000, box('free'))), mdat()]),
  ],
  [
    'a file of two hundred thousand boxes',
    'video',
    'FILE_BROKEN',
    () => Buffer.concat([ftyp(), Buffer.alloc(8 * 200_000, box('free'))]),
  ],
  [
    'an index of zero length inside',
    'video',
    'FILE_BROKEN',
    async () => withSize(await fixture('good.mp4'), 'trak', 0),
  ],
  [
    'a track longer than its movie',
    'video',
    'FILE_BROKEN',
    async () => withSize(await fixture('good.mp4'), 'trak', 0x7f_ff_ff_ff),
  ],
  [
    'an index longer than the file',
    'video',
    'FILE_TRUNCATED',
    async () => withSize(await fixture('good.mp4'), 'moov', 0x7f_ff_ff_ff),
  ],
  ['a box of seven bytes', 'video', 'FILE_BROKEN', film(ftyp(), box('moov', [], 7), mdat())],
  [
    'a box of 2^64 bytes',
    'video',
    'FILE_TRUNCATED',
    film(ftyp(), box('mdat', words(0xff_ff_ff_ff, 0xff_ff_ff_ff), 1), moov()),
  ],
  ['frames that are no frames', 'video', 'FILE_BROKEN', emptiedFilm],
  ['a film with HTML behind its end', 'video', 'video/mp4', () => joined(fixture('good.mp4'), pictures.HTML)],
  ['a film with a ZIP behind its end', 'video', 'video/mp4', () => joined(fixture('good.mp4'), ZIP)],
  [
    'a film with HTML before its end',
    'video',
    'video/mp4',
    () => joined(fixture('good.mp4'), box('free', Buffer.from(pictures.HTML))),
  ],
];

const CASES = [...IMAGES, ...TICKETS, ...SONGS, ...FILMS];

function transparent(): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer();
}

async function commented(): Promise<Buffer> {
  const bytes = await jpeg();
  const comment = Buffer.from(pictures.HTML);
  const head = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 255]);
  return Buffer.concat([bytes.subarray(0, 2), head, comment, bytes.subarray(2)]);
}

function id3(content: string): Buffer {
  const frame = Buffer.concat([
    Buffer.from('COMM'),
    words(content.length + 5),
    Buffer.alloc(2),
    Buffer.from('\0eng\0'),
    Buffer.from(content),
  ]);
  const { length } = frame;
  return Buffer.concat([
    Buffer.from('ID3\x03\0\0', 'latin1'),
    Buffer.from([0, 0, length >> 7, length & 127]),
    frame,
  ]);
}

async function emptiedFilm(): Promise<Buffer> {
  const bytes = await fixture('good.mp4');
  return bytes.fill(0xee, bytes.indexOf('mdat') + 4);
}

let server: TestServer;
let to: { url: string; cookie: string };
beforeAll(async () => {
  server = await startServer();
  to = { url: server.url, cookie: await signUp(server) };
});
afterAll(() => server.stop());

const rows = () => server.deps.db.selectFrom('media').select(['id', 'content_type']).execute();

test('there are at least sixty of them, each of its own kind', () => {
  expect(new Set(CASES.map(([name, slot]) => `${slot}: ${name}`)).size).toBe(CASES.length);
  expect(CASES.length).toBeGreaterThanOrEqual(60);
});

describe.each(CASES)('%s (%s) → %s', (_name, slot, fate, make) => {
  test('is what its bytes are, whatever it is called', async () => {
    const before = await rows();
    const answer = await upload(to, slot, await make(), { filename: NAMES[slot] ?? 'x' });
    if (fate.startsWith('FILE_')) {
      expect([answer.body?.codice, answer.status]).toEqual([fate, 422]);
      expect(await rows()).toEqual(before);
    } else {
      expect(answer.body?.item?.content_type).toBe(fate);
      await expectHarmless(answer.body.item.url, fate);
    }
  }, 60_000);
});

const NAMES: Record<string, string> = {
  immagine: 'foto.jpg',
  biglietti: 'biglietti.pdf',
  canzone: 'canzone.mp3',
  video: 'film.mp4',
};

/** Served as what it is and nothing else; what was made anew has no stranger in it. */
async function expectHarmless(url: string, type: string): Promise<void> {
  const response = await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  if (type !== 'application/pdf') expect(policy).toContain('sandbox');
  if (type.startsWith('image/'))
    expect(bytes.includes('<script>') || bytes.includes('PK\x03\x04')).toBe(false);
}

test('none of them left a file behind or was an error of ours', async () => {
  const left = await readdir(join(server.deps.env.DATA_DIR, 'uploads'));
  expect(left.filter((name) => !name.endsWith('.refused'))).toEqual([]);
  const errors = server
    .logged()
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line));
  expect(errors).toEqual([]);
  const known = new Set((await rows()).map(({ id }) => id));
  for await (const key of server.deps.storage.keys()) expect(known).toContain(key.split('.')[0]);
});

test('an empty file and a lie about the length are refused before a byte is kept', async () => {
  expect((await upload(to, 'video', Buffer.alloc(0))).body.codice).toBe('FILE_EMPTY');
  expect((await upload(to, 'canzone', Buffer.alloc(0))).body.codice).toBe('FILE_EMPTY');
});
