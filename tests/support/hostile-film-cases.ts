import { type HostileCase as Case, cutAt, fixture, joined, jpeg, text, ZIP } from './hostile-case.ts';
import {
  box,
  ftyp,
  mdat,
  moov,
  nested,
  renamed,
  withChunksOf,
  withSize,
  withTracks,
  words,
} from './hostile-films.ts';
import * as pictures from './hostile-pictures.ts';

const film =
  (...parts: Buffer[]) =>
  () =>
    Buffer.concat(parts);

export const FILMS: Case[] = [
  ['HTML called .mp4', 'video', 'FILE_NOT_VIDEO', text(pictures.HTML)],
  ['one byte', 'video', 'FILE_NOT_VIDEO', text('x')],
  ['a picture', 'video', 'FILE_NOT_VIDEO', jpeg],
  ['HEIC called .mp4', 'video', 'FILE_NOT_VIDEO', () => pictures.isoPicture('heic')],
  ['WebM called .mp4', 'video', 'video/mp4', () => fixture('vp9.webm')],
  ['Matroska with H.264', 'video', 'video/mp4', () => fixture('matroska.mkv')],
  ['a song in an MP4', 'video', 'FILE_NO_PICTURE', () => fixture('song.m4a')],
  ['HEVC (hvc1)', 'video', 'video/mp4', () => fixture('hevc-hvc1.mp4')],
  ['HEVC (hev1) in QuickTime', 'video', 'video/mp4', () => fixture('hevc-hev1.mov')],
  ['AV1', 'video', 'video/mp4', () => fixture('av1.mp4')],
  ['VP9', 'video', 'video/mp4', () => fixture('vp9.mp4')],
  ['ProRes', 'video', 'video/mp4', () => fixture('prores.mov')],
  ['Motion JPEG', 'video', 'video/mp4', () => fixture('mjpeg.mov')],
  ['MPEG-4 part 2', 'video', 'video/mp4', () => fixture('mpeg4.mp4')],
  ['H.264 in ten bits', 'video', 'video/mp4', () => fixture('high10.mp4')],
  ['H.264 in 4:4:4', 'video', 'video/mp4', () => fixture('high444.mp4')],
  [
    'encrypted pictures',
    'video',
    'FILE_PROTECTED',
    async () => renamed(await fixture('good.mp4'), 'avc1\0', 'encv\0'),
  ],
  [
    'HEVC that calls itself H.264',
    'video',
    'FILE_BROKEN',
    async () => renamed(await fixture('hevc-hvc1.mp4'), 'hvc1\0', 'avc1\0'),
  ],
  ['AC-3', 'video', 'video/mp4', () => fixture('ac3.mp4')],
  ['Opus', 'video', 'video/mp4', () => fixture('opus.mp4')],
  ['MP3 in an MP4', 'video', 'video/mp4', () => fixture('mp3-sound.mp4')],
  ['uncompressed sound', 'video', 'video/mp4', () => fixture('pcm.mov')],
  ...[0.1, 0.3, 0.5].map(
    (share): Case => [`a film cut at ${share * 100} %`, 'video', 'FILE_TRUNCATED', cutAt('good.mp4', share)],
  ),
  ...[0.3, 0.9].map(
    (share): Case => [
      `a film with its index last, cut at ${share * 100} %`,
      'video',
      'FILE_BROKEN',
      cutAt('index-last.mp4', share),
    ],
  ),
  ['a fragmented film cut in its first fragment', 'video', 'FILE_BROKEN', cutAt('fragmented.mp4', 0.1)],
  [
    'an index whose samples lie beyond the end',
    'video',
    'FILE_BROKEN',
    film(ftyp(), moov({ stco: words(0, 1, 0xff_ff_ff_f0) }), mdat()),
  ],
  ['nothing but a head', 'video', 'FILE_BROKEN', film(ftyp())],
  ['a head and an empty index', 'video', 'FILE_NO_PICTURE', film(ftyp(), box('moov'), mdat())],
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
  [
    'a chunk of four thousand million samples',
    'video',
    'FILE_BROKEN',
    async () => withChunksOf(await fixture('index-last.mp4'), 0xff_ff_ff_ff),
  ],
  [
    'a chunk of more samples than there are',
    'video',
    'FILE_BROKEN',
    async () => withChunksOf(await fixture('index-last.mp4'), 1_000),
  ],
  ['sixty-five tracks', 'video', 'FILE_BROKEN', async () => withTracks(await fixture('index-last.mp4'), 65)],
  ['sixty-four tracks', 'video', 'video/mp4', async () => withTracks(await fixture('index-last.mp4'), 64)],
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
    'FILE_NO_PICTURE',
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
    'video/mp4',
    async () => withSize(await fixture('good.mp4'), 'trak', 0),
  ],
  [
    'a track longer than its movie',
    'video',
    'video/mp4',
    async () => withSize(await fixture('good.mp4'), 'trak', 0x7f_ff_ff_ff),
  ],
  [
    'an index longer than the file',
    'video',
    'video/mp4',
    async () => withSize(await fixture('good.mp4'), 'moov', 0x7f_ff_ff_ff),
  ],
  ['a box of seven bytes', 'video', 'FILE_BROKEN', film(ftyp(), box('moov', [], 7), mdat())],
  [
    'a box of 2^64 bytes',
    'video',
    'FILE_BROKEN',
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

async function emptiedFilm(): Promise<Buffer> {
  const bytes = await fixture('good.mp4');
  return bytes.fill(0xee, bytes.indexOf('mdat') + 4);
}
