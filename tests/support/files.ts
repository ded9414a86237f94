import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import {
  box,
  deepPdf,
  drawnPdf,
  ftyp,
  HTML,
  isoPicture,
  mdat,
  moov,
  nested,
  nestedPdf,
  pdf,
  SVG,
  scriptedPdf,
  uint32s,
  unfoldingPdf,
  vastPng,
  wholeInterlacedPng,
  withChunksOf,
  withTracks,
  wordyPng,
  writingPdf,
} from './hostile-files.ts';
import { avifInP3, drawn, heic, quadrants } from './pictures.ts';
import { filledPdf, layeredPdf, made } from './ticket-pdfs.ts';
import { MEDIA } from './uploads.ts';

/** An uploaded file with its slot and expected result. */
type SentFile = {
  name: string;
  slot: string;
  /** The refusal's code, or the media type it is stored as. */
  fate: string;
  make(): Buffer | Promise<Buffer>;
};

const MIB = 1024 ** 2;
type FileContent = string | Buffer | Promise<Buffer>;

/** Files of one slot and one expected result, by name. */
const files = (slot: string, fate: string, all: Record<string, () => FileContent>): SentFile[] =>
  Object.entries(all).map(([name, make]) => ({
    name,
    slot,
    fate,
    make: async () => Buffer.from(await make()),
  }));

const fixture = (name: string) => readFile(join(MEDIA, name));
const jpeg = () => fixture('../picture.jpg');
const png = () => fixture('../ticket.png');
const joined = async (...parts: FileContent[]) =>
  Buffer.concat((await Promise.all(parts)).map((part) => Buffer.from(part)));
const cutAt = async (name: string, share: number) => {
  const bytes = await fixture(name);
  return bytes.subarray(0, Math.floor(bytes.length * share));
};
const ZIP = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), deflateRawSync(Buffer.alloc(1_000))]);

const transparent = () =>
  sharp({ create: { width: 8, height: 8, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer();

/** A JPEG with a script in its comment. */
async function commented(): Promise<Buffer> {
  const bytes = await jpeg();
  const head = Buffer.from([0xff, 0xfe, 0, HTML.length + 2]);
  return joined(bytes.subarray(0, 2), head, HTML, bytes.subarray(2));
}

const PICTURES: SentFile[] = [
  ...files('immagine', 'FILE_SVG', {
    'SVG behind a declaration and a comment': () => `<?xml version="1.0"?><!-- x -->\n${SVG}`,
  }),
  ...files('immagine', 'FILE_NOT_IMAGE', {
    zeros: () => Buffer.alloc(4_096),
    'HTML with a JPEG behind it': () => joined(HTML, jpeg()),
  }),
  ...files('immagine', 'FILE_BROKEN', { 'AVIF of nothing but its head': () => isoPicture('avif') }),
  ...files('immagine', 'FILE_TRUNCATED', {
    'nothing but a JPEG’s first bytes': async () => (await jpeg()).subarray(0, 10),
  }),
  ...files('immagine', 'image/jpeg', {
    'a JPEG with a ZIP behind its end': () => joined(jpeg(), ZIP),
    'a JPEG with a script in its comment': commented,
  }),
  ...files('biglietti', 'image/png', { 'a PNG with a PDF behind its end': () => joined(png(), pdf()) }),
];

const TICKETS: SentFile[] = [
  ...files('biglietti', 'FILE_SVG', { 'SVG as tickets': () => SVG }),
  ...files('biglietti', 'FILE_NOT_TICKETS', {
    'HTML with %PDF in it': () => `${HTML}%PDF-1.7\n%%EOF`,
    'a film': () => fixture('good.mp4'),
  }),
  ...files('biglietti', 'application/pdf', {
    'a PDF with a part nobody needs, as deep as a stack': () => deepPdf(1_000_000),
    'a PDF with JavaScript': () => scriptedPdf(),
    'a PDF with HTML behind its end': () => joined(pdf(), HTML),
  }),
];

/** An ID3 tag before an MP3, with this comment. */
function id3(content: string): Promise<Buffer> {
  const size = content.length + 15;
  const tag = Buffer.from(`ID3\x03\0\0\0\0\0\0COMM`, 'latin1');
  tag.set([size >> 7, size & 127], 8);
  return joined(tag, uint32s(content.length + 5), '\0\0\0eng\0', content);
}

const SONGS: SentFile[] = [
  ...files('canzone', 'FILE_NOT_AUDIO', {
    'an ID3 tag with HTML and no sound': () => joined(id3(HTML), HTML),
    'a playlist': () => '#EXTM3U\nhttp://169.254.169.254/latest/meta-data\n',
  }),
  ...files('canzone', 'FILE_BROKEN', { 'an M4A cut in the middle': () => cutAt('song.m4a', 0.5) }),
  ...files('canzone', 'FILE_UNDECODABLE', {
    MIDI: () => Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x04\0\xff\x2f\0', 'latin1'),
  }),
  ...files('canzone', 'audio/mpeg', {
    'an MP3 with HTML in its tag': () => joined(id3(HTML), fixture('../song.mp3')),
  }),
  ...files('canzone', 'audio/mp4', { 'a film with pictures': () => fixture('good.mp4') }),
];

/** A film of its header, an index with these tables, and some bytes. */
const tables = (lies: Parameters<typeof moov>[0]) => Buffer.concat([ftyp(), moov(lies), mdat()]);
const ALL = 0xff_ff_ff_ff;
const indexLast = () => fixture('index-last.mp4');

/** A film with invalid frames. */
async function emptied(): Promise<Buffer> {
  const bytes = await fixture('good.mp4');
  return bytes.fill(0xee, bytes.indexOf('mdat') + 4);
}

const FILMS: SentFile[] = [
  ...files('video', 'FILE_NOT_VIDEO', { 'HTML called .mp4': () => HTML }),
  ...files('video', 'FILE_NO_PICTURE', {
    'a song in an MP4': () => fixture('song.m4a'),
    'an index of a million empty boxes': () =>
      joined(ftyp(), box('moov', Buffer.alloc(8 * 1_000_000, box('free'))), mdat()),
  }),
  ...files('video', 'FILE_TRUNCATED', { 'a film cut at 10 %': () => cutAt('good.mp4', 0.1) }),
  ...files('video', 'FILE_BROKEN', {
    'a film with its index last, cut at 90 %': () => cutAt('index-last.mp4', 0.9),
    'an index whose samples lie beyond the end': () => tables({ stco: uint32s(0, 1, 0xff_ff_ff_f0) }),
    'one time for four thousand million samples': () => tables({ stts: uint32s(0, 1, ALL, 1) }),
    'sixty-five tracks': async () => withTracks(await indexLast(), 65),
    'an index as deep as a stack': () => joined(ftyp(), nested('moov', 100_000), mdat()),
    'a box of seven bytes': () => joined(ftyp(), box('moov', [], 7), mdat()),
    'a box of 2^64 bytes': () => joined(ftyp(), box('mdat', uint32s(ALL, ALL), 1), moov()),
    'frames that are no frames': emptied,
  }),
  ...files('video', 'video/mp4', {
    'WebM called .mp4': () => fixture('vp9.webm'),
    'sixty-four tracks': async () => withTracks(await indexLast(), 64),
    'a film with HTML behind its end': () => joined(fixture('good.mp4'), HTML),
  }),
];

/** Files with a wrong type, an early end, false headers or foreign content; more are in tests/media-worker. */
export const HOSTILE: readonly SentFile[] = [...PICTURES, ...TICKETS, ...SONGS, ...FILMS];

/** A film of this many tracks that each claim this many samples. */
const manySamples = (tracks: number, samples: number) =>
  withTracks(
    Buffer.concat([
      ftyp(),
      mdat(),
      moov({
        stts: uint32s(0, 1, samples, 1),
        stsz: uint32s(0, 1, samples),
        stsc: uint32s(0, 1, 1, samples, 1),
      }),
    ]),
    tracks,
  );

/** A film whose headers claim this duration, in seconds. */
function promising(film: Buffer, seconds: number): Buffer {
  const bytes = Buffer.from(film);
  const say = (name: string, ticks: (at: number) => number, place: number) => {
    for (let at = bytes.indexOf(name); at > 0; at = bytes.indexOf(name, at + 1))
      bytes.writeUInt32BE(seconds * ticks(at), at + place);
  };
  const own = (at: number) => bytes.readUInt32BE(at + 16);
  const ticks = own(bytes.indexOf('mvhd'));
  say('mvhd', own, 20);
  say('mdhd', own, 20);
  say('tkhd', () => ticks, 24);
  return bytes;
}

/** Files that once froze the product or exhausted its memory, or were designed to. Stored or refused: both are fine. */
export const HEAVIEST: readonly Omit<SentFile, 'fate'>[] = [
  ...files('canzone', 'kept or refused', {
    'a song of chunks of 2³²−1 samples': async () => withChunksOf(await fixture('song.m4a'), ALL),
  }),
  ...files('video', 'kept or refused', {
    '2,000 tracks of 3,000,000 samples': () => manySamples(2_000, 3_000_000),
    '64 tracks of 3,000,000 samples': () => manySamples(64, 3_000_000),
    'a film whose headers promise 10 hours': async () => promising(await indexLast(), 36_000),
  }),
  ...files('immagine', 'kept or refused', {
    'an interlaced PNG of 8,000² in 16 bits': () => wholeInterlacedPng(8_000, 8_000),
    'a PNG of 60,000²': () => vastPng(60_000, 60_000),
    'a PNG whose words unfold to 512 MB': async () => wordyPng(await transparent(), 512 * MIB),
  }),
  ...files('biglietti', 'kept or refused', {
    'a PDF drawn by 250 parts of 60 MB': () => drawnPdf(60 * MIB, 250),
    'a PDF whose table unfolds to 512 MB': () => unfoldingPdf(512 * MIB, '/XRef'),
    'a PDF of forms in forms': () => nestedPdf(40),
    'a PDF with a font of 2,000,000,000 letters': () => writingPdf(),
  }),
];

/** Small valid pictures and tickets of every kind. */
export function goodFiles(): Record<'picture' | 'tickets', Record<string, Promise<Buffer>>> {
  const rgb = quadrants();
  return {
    picture: {
      'photo.jpg': jpeg(),
      'progressive.jpg': drawn(rgb).jpeg({ progressive: true }).toBuffer(),
      'interlaced.png': drawn(rgb).ensureAlpha(0.5).png({ progressive: true }).toBuffer(),
      'plain.webp': drawn(rgb).webp().toBuffer(),
      'plain.gif': drawn(rgb).gif().toBuffer(),
      'plain.tiff': drawn(rgb).tiff().toBuffer(),
      'whole.heic': heic({ tiles: [rgb] }),
      'tiles.heic': heic({ tiles: [rgb, rgb, rgb, rgb], columns: 2, size: { width: 200, height: 120 } }),
      'colours.avif': avifInP3(rgb),
    },
    tickets: {
      'two-pages.pdf': made(),
      'plain.pdf': made({ objectStreams: false }),
      'locked.pdf': made({ lock: { ownerPassword: 'segreto' } }),
      'form.pdf': Promise.resolve(filledPdf()),
      'layers.pdf': Promise.resolve(layeredPdf()),
      'fixture.pdf': fixture('../ticket.pdf'),
    },
  };
}
