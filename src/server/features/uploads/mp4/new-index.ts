import { type Bytes, box, words, wordsOf } from './bytes.ts';
import type { Laid } from './pieces.ts';
import type { Taken, TakenTrack } from './taken.ts';

/** What an MP4 for phones calls itself. */
export const FTYP: Bytes = box('ftyp', [Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1')]);

const WORD = 2 ** 32;

/**
 * The index (`moov`) of a film whose media begin at `base`. Where a film was taken, what it was called, its other tracks and everything else
 * isn't there.
 */
export function newIndex({ mvhd, tracks }: Taken, laid: readonly Laid[], base: number): Bytes {
  const traks = tracks.map((track, place) =>
    trakOf(track, laid[place] ?? { offsets: [], samples: [] }, base),
  );
  return box('moov', box('mvhd', [asLongAs(mvhd, tracks)]), ...traks);
}

/** The film ends with the last of its tracks; one that was left behind may have been longer. */
function asLongAs(mvhd: Buffer, tracks: readonly TakenTrack[]): Buffer {
  const longest = Math.max(...tracks.map(({ tkhd }) => durationIn(tkhd, 20, 28)));
  if (mvhd[0] === 1) mvhd.writeBigUInt64BE(BigInt(longest), 24);
  else if (longest < WORD) mvhd.writeUInt32BE(longest, 16);
  return mvhd;
}

const durationIn = (header: Buffer, short: number, long: number) =>
  header[0] === 1 ? Number(header.readBigUInt64BE(long)) : header.readUInt32BE(short);

function trakOf(track: TakenTrack, laid: Laid, base: number): Bytes {
  const { handler, tkhd, elst, mdhd } = track;
  const edits = elst === null ? [] : box('edts', box('elst', [elst]));
  const media = box('mdia', box('mdhd', [mdhd]), box('hdlr', [nameOf(handler)]), minfOf(track, laid, base));
  return box('trak', box('tkhd', [tkhd]), edits, media);
}

const nameOf = (handler: string) =>
  Buffer.concat([words(0, 0), Buffer.from(handler, 'latin1'), words(0, 0, 0), Buffer.alloc(1)]);

function minfOf(track: TakenTrack, laid: Laid, base: number): Bytes {
  const header = track.handler === 'vide' ? box('vmhd', [words(1, 0, 0)]) : box('smhd', [words(0, 0)]);
  // The media are in this file.
  const place = box('dinf', box('dref', [words(0, 1)], box('url ', [words(1)])));
  return box('minf', header, place, stblOf(track, laid, base));
}

function stblOf({ stsd, stts, ctts, stss, stsz }: TakenTrack, laid: Laid, base: number): Bytes {
  const optional = (type: string, table: Buffer | null) => (table === null ? [] : box(type, [table]));
  return box(
    'stbl',
    stsd,
    box('stts', [stts]),
    optional('ctts', ctts),
    optional('stss', stss),
    box('stsz', [stsz]),
    box('stsc', [countsOf(laid.samples)]),
    offsetsOf(laid.offsets, base),
  );
}

/** `stsc`: from which chunk on how many samples there are in each. */
function countsOf(samples: readonly number[]): Buffer {
  const runs: number[] = [0, 0];
  for (const [chunk, count] of samples.entries())
    if (count !== samples[chunk - 1]) runs.push(chunk + 1, count, 1);
  runs[1] = (runs.length - 2) / 3;
  return wordsOf(runs);
}

function offsetsOf(offsets: readonly number[], base: number): Bytes {
  const wide = base + (offsets.at(-1) ?? 0) >= WORD;
  const body = Buffer.alloc(8 + (wide ? 8 : 4) * offsets.length);
  body.writeUInt32BE(offsets.length, 4);
  for (const [chunk, offset] of offsets.entries())
    if (wide) body.writeBigUInt64BE(BigInt(base + offset), 8 + 8 * chunk);
    else body.writeUInt32BE(base + offset, 8 + 4 * chunk);
  return box(wide ? 'co64' : 'stco', [body]);
}
