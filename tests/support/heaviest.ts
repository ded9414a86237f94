import { box, ftyp, mdat, moov, withChunksOf, withTracks, words } from './hostile-films.ts';
import { drawnPdf, nestedPdf, unfoldingPdf, writingPdf } from './hostile-pdfs.ts';
import { vastInterlacedPng, vastPng, wholeInterlacedPng, wordyPng } from './hostile-pictures.ts';
import type { SmallFile } from './small-media.ts';

/** Files that froze or swelled the product once, or were made to. */

const MIB = 1024 ** 2;
const HOURS = 3_600;

export type Heavy = { name: string; slot: string; bytes: Buffer; atOnce?: number };

/** A film of so many tracks that say they have so many samples each. */
function manySamples(tracks: number, samples: number): Buffer {
  const tables = {
    stts: words(0, 1, samples, 1),
    stsz: words(0, 1, samples),
    stsc: words(0, 1, 1, samples, 1),
  };
  return withTracks(Buffer.concat([ftyp(), mdat(), moov(tables)]), tracks);
}

/** A film that says of itself and of its tracks that it is so long (seconds). */
function promising(film: Buffer, seconds: number): Buffer {
  const bytes = Buffer.from(film);
  const say = (name: string, scale: number, length: number) => {
    for (let at = bytes.indexOf(name); at > 0; at = bytes.indexOf(name, at + 1))
      bytes.writeUInt32BE(seconds * bytes.readUInt32BE(at + 4 + scale), at + 4 + length);
  };
  say('mvhd', 12, 16);
  say('mdhd', 12, 16);
  const ticks = seconds * bytes.readUInt32BE(bytes.indexOf('mvhd') + 16);
  for (let at = bytes.indexOf('tkhd'); at > 0; at = bytes.indexOf('tkhd', at + 1))
    bytes.writeUInt32BE(ticks, at + 24);
  return bytes;
}

/** @param film an MP4 whose index comes last */
export function heaviest(film: SmallFile, song: SmallFile, png: SmallFile): Heavy[] {
  const video = (name: string, bytes: Buffer): Heavy => ({ name, slot: 'video', bytes });
  const picture = (name: string, bytes: Buffer, atOnce = 1): Heavy => ({
    name,
    slot: 'immagine',
    bytes,
    atOnce,
  });
  const tickets = (name: string, bytes: Buffer): Heavy => ({ name, slot: 'biglietti', bytes });
  return [
    video('chunks of 2³²−1 samples', withChunksOf(film.bytes, 0xff_ff_ff_ff)),
    {
      name: 'a song of chunks of 2³²−1 samples',
      slot: 'canzone',
      bytes: withChunksOf(song.bytes, 0xff_ff_ff_ff),
    },
    video('2,000 tracks of 3,000,000 samples', manySamples(2_000, 3_000_000)),
    video('64 tracks of 3,000,000 samples', manySamples(64, 3_000_000)),
    video('one track of 2³²−1 samples', manySamples(1, 0xff_ff_ff_ff)),
    video('a good film 64 times over', withTracks(film.bytes, 64)),
    video('a film whose headers promise 10 hours', promising(film.bytes, 10 * HOURS)),
    video('a million empty boxes', Buffer.concat([ftyp(), box('moov', Buffer.alloc(8 * MIB, box('free')))])),
    video('16 MB of nothing', Buffer.concat([ftyp(), mdat(16 * MIB), moov()])),
    picture('an interlaced PNG of 8,000² in 16 bits, eight at once', vastInterlacedPng(8_000, 8_000), 8),
    picture('the same with all its bytes', wholeInterlacedPng(8_000, 8_000)),
    picture(
      'a whole interlaced PNG of 5,000² in 16 bits, eight at once',
      wholeInterlacedPng(5_000, 5_000),
      8,
    ),
    picture('a PNG of 60,000²', vastPng(60_000, 60_000)),
    picture('a PNG of 14,000² that is cut', vastPng(14_000, 14_000)),
    picture('a PNG whose words unfold to 512 MB', wordyPng(png.bytes, 512 * MIB)),
    tickets('a PDF drawn by 250 parts of 60 MB', drawnPdf(60 * MIB, 250)),
    tickets('a PDF of 250 streams of objects of 60 MB', unfoldingPdf(60 * MIB, '/ObjStm', 250)),
    tickets('a PDF whose table unfolds to 512 MB', unfoldingPdf(512 * MIB, '/XRef')),
    tickets('a PDF of forms in forms', nestedPdf(40)),
    tickets('a PDF with a font of 2,000,000,000 letters', writingPdf()),
  ];
}
