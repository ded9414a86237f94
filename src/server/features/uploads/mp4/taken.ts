import { at, type Node } from './boxes.ts';
import type { Bytes } from './bytes.ts';
import { descriptionOf } from './description.ts';
import type { Timed } from './pieces.ts';
import { samplesIn, tablesIn } from './samples.ts';

/** What of a film's index is taken over into another: the movie's header and its tracks. */
export type Taken = { mvhd: Buffer; tracks: TakenTrack[] };

/** A track: its headers, its edits, how its samples are described and timed, and where they are. */
export type TakenTrack = Timed & {
  handler: 'vide' | 'soun';
  tkhd: Buffer;
  elst: Buffer | null;
  mdhd: Buffer;
  stsd: Bytes;
  ctts: Buffer | null;
  stss: Buffer | null;
  stsz: Buffer;
};

/** The lengths of headers, in bytes: with times of four bytes, and of eight. */
const LENGTHS = { mvhd: [100, 112], tkhd: [84, 96], mdhd: [24, 36] } as const;
/** Not said, as three letters of five bits each («und»). */
const NO_LANGUAGE = 0x55_c4;

/** Takes the tracks with these ids; null when something about one of them isn't plain enough to be understood whole. */
export function takenFrom(moov: Node, ids: readonly number[]): Taken | null {
  const mvhd = headerIn(moov, 'mvhd');
  const traks = moov.children.filter(({ type }) => type === 'trak');
  if (new Set(traks.map(idOf)).size < traks.length) return null;
  const tracks = ids.map((id) => {
    const trak = traks.find((each) => idOf(each) === id);
    return trak === undefined ? null : trackIn(trak);
  });
  if (mvhd === null || !tracks.every((track) => track !== null)) return null;
  // The place of QuickTime's preview and selection.
  mvhd.fill(0, mvhd.length - 28, mvhd.length - 4);
  return { mvhd, tracks };
}

/** A track's number, or -1. */
export function idOf(trak: Node): number {
  const tkhd = at(trak, 'tkhd')?.body;
  const offset = tkhd?.[0] === 1 ? 20 : 12;
  return tkhd !== undefined && tkhd.length >= offset + 4 ? tkhd.readUInt32BE(offset) : -1;
}

function trackIn(trak: Node): TakenTrack | null {
  const headers = headersOf(trak);
  const stbl = at(trak, 'mdia/minf/stbl');
  const tables = stbl && tablesIn(stbl);
  const stsz = stbl && at(stbl, 'stsz')?.body;
  const stts = stbl && tableIn(stbl, 'stts', 8);
  const stsd = descriptionOf(stbl && at(stbl, 'stsd')?.body);
  if (!headers || !stbl || !tables || !stsz || !stts || !stsd) return null;
  if (samplesIn(stts) !== tables.sizes.count) return null;
  const ctts = tableIn(stbl, 'ctts', 8);
  const stss = tableIn(stbl, 'stss', 4);
  return { ...headers, tables, stsd, stts, stsz, ctts: ctts && signed(ctts), stss };
}

function headersOf(trak: Node) {
  const [tkhd, mdhd] = [headerIn(trak, 'tkhd'), headerIn(at(trak, 'mdia'), 'mdhd')];
  const handler = at(trak, 'mdia/hdlr')?.body.toString('latin1', 8, 12);
  if (!tkhd || !mdhd || (handler !== 'vide' && handler !== 'soun')) return null;
  const timescale = mdhd.readUInt32BE(isLong(mdhd) ? 20 : 12);
  if (timescale === 0) return null;
  mdhd.writeUInt16BE(NO_LANGUAGE, mdhd.length - 4);
  // Shown, part of the film, and an alternative to nothing.
  tkhd.writeUIntBE(3, 1, 3);
  tkhd.writeUInt16BE(0, tkhd.length - 50);
  const edits = at(trak, 'edts');
  const elst = edits ? tableIn(edits, 'elst', isLong(at(edits, 'elst')?.body) ? 20 : 12) : null;
  return { handler, tkhd, mdhd, timescale, elst } as const;
}

const isLong = (body: Buffer | undefined) => body?.[0] === 1;

/** A copy of a header without the times at which the film was made and changed; null when it is too short for what it says it is. */
function headerIn(node: Node | undefined, type: keyof typeof LENGTHS): Buffer | null {
  const body = node && at(node, type)?.body;
  const length = LENGTHS[type][isLong(body) ? 1 : 0];
  if (body === undefined || body.length < length) return null;
  const copy = Buffer.from(body.subarray(0, length));
  copy.fill(0, 4, isLong(body) ? 20 : 12);
  return copy;
}

/** A table with its entries and nothing behind them; null when there is none, or less of it than it says. */
function tableIn(node: Node, type: string, width: number): Buffer | null {
  const body = at(node, type)?.body;
  if (body === undefined || body.length < 8) return null;
  const end = 8 + width * body.readUInt32BE(4);
  return end > body.length ? null : body.subarray(0, end);
}

/** QuickTime shifts pictures backwards, too; in an MP4 only the second version of the table may. */
function signed(ctts: Buffer): Buffer {
  for (let at = 12; at < ctts.length; at += 8)
    if (ctts.readInt32BE(at) < 0) {
      const copy = Buffer.from(ctts);
      copy[0] = 1;
      return copy;
    }
  return ctts;
}
