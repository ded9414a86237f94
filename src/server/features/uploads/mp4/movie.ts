import type { FileHandle } from 'node:fs/promises';
import type { FileRefusal } from '../../../../contract/admin/media.ts';
import type { Refused } from '../../../refused.ts';
import { at, type Box, type Node, topLevel, treeOf } from './boxes.ts';
import { countFragments } from './fragments.ts';
import { hasHonestChunks, type Place, samplesOf, timeIn } from './samples.ts';
import { idOf } from './taken.ts';

/** A track: its number; `vide`, `soun` or something else; the four letters of its sample descriptions; how many samples it has. */
export type Track = {
  id: number;
  kind: string;
  codecs: string[];
  samples: number;
  /** How long it plays (seconds) and where its first sample lies; null when it is cut into fragments, or has no samples. */
  play: { seconds: number; first: Place } | null;
};

/** What the structure of a film's file says, before anything of the film is read. */
export type Movie = {
  tracks: Track[];
  /** Ready to be played from the first byte: an MP4 whose index comes first, whole, and followed by nothing foreign. */
  faststart: boolean;
  /** Cut into fragments: samples are counted over all of them. */
  fragmented: boolean;
};

/** More than the index of any film, in bytes. */
const LARGEST_INDEX = 32 * 1024 ** 2;
/** More tracks than any film has: each of them may speak of millions of samples. */
const MOST_TRACKS = 64;

/**
 * Reads the structure of an MP4 or QuickTime file. Nothing in it is trusted: sizes, counts and depths are held against the file before a
 * library sees it.
 */
export async function readMovie(file: FileHandle): Promise<Movie | Refused<FileRefusal>> {
  const { size } = await file.stat();
  const top = await topLevel(file, size);
  if (top === null) return { refused: 'FILE_BROKEN' };
  const { boxes, end } = top;
  const moov = boxes.find(({ type }) => type === 'moov');
  if (end === 'cut') return { refused: 'FILE_TRUNCATED' };
  if (moov === undefined)
    return { refused: boxes.some(({ type }) => type === 'mdat') ? 'FILE_TRUNCATED' : 'FILE_BROKEN' };
  const tree = await readTree(file, moov);
  if (tree === null || !areCountable(tree)) return { refused: 'FILE_BROKEN' };
  const fragmented = at(tree, 'mvex') !== undefined || boxes.some(({ type }) => type === 'moof');
  const tracks = fragmented ? await fragmentedTracks(file, tree, boxes) : wholeTracks(tree, size);
  if (!Array.isArray(tracks)) return tracks;
  return { tracks, fragmented, faststart: !fragmented && end === 'whole' && (await isReady(file, boxes)) };
}

/** The index of a film: its first `moov`; null when there is none, or when it isn't whole. */
export async function readIndex(file: FileHandle): Promise<Node | null> {
  const { size } = await file.stat();
  const moov = (await topLevel(file, size))?.boxes.find(({ type }) => type === 'moov');
  return moov === undefined || moov.end > size ? null : readTree(file, moov);
}

async function readTree(file: FileHandle, { type, body, end }: Box): Promise<Node | null> {
  if (end - body > LARGEST_INDEX) return null;
  const { buffer } = await file.read(Buffer.alloc(end - body), 0, end - body, body);
  return treeOf(type, buffer);
}

function areCountable(moov: Node): boolean {
  const traks = traksOf(moov);
  return traks.length <= MOST_TRACKS && traks.every((trak) => !isPlayed(trak) || hasHonestChunks(trak));
}

function wholeTracks(moov: Node, size: number): Track[] | Refused<FileRefusal> {
  const tracks: Track[] = [];
  for (const trak of traksOf(moov)) {
    const { kind, codecs } = describe(trak);
    const samples = isPlayed(trak) ? samplesOf(trak) : { count: 0, first: null, end: 0 };
    if (samples === null) return { refused: 'FILE_BROKEN' };
    if (samples.end > size) return { refused: samples.end === Infinity ? 'FILE_BROKEN' : 'FILE_TRUNCATED' };
    const { count, first } = samples;
    const play = first && { seconds: secondsOf(trak), first };
    tracks.push({ id: idOf(trak), kind, codecs, samples: count, play });
  }
  return tracks;
}

async function fragmentedTracks(
  file: FileHandle,
  moov: Node,
  boxes: readonly Box[],
): Promise<Track[] | Refused<FileRefusal>> {
  const counts = new Map<number, number>();
  for (const box of boxes.filter(({ type }) => type === 'moof')) {
    const tree = await readTree(file, box);
    if (tree === null || !countFragments(tree, counts)) return { refused: 'FILE_BROKEN' };
  }
  if (counts.size === 0) return { refused: 'FILE_TRUNCATED' };
  return traksOf(moov).map((trak) => {
    const id = idOf(trak);
    return { id, ...describe(trak), samples: counts.get(id) ?? 0, play: null };
  });
}

const traksOf = (moov: Node) => moov.children.filter(({ type }) => type === 'trak');

function secondsOf(trak: Node): number {
  const mdhd = at(trak, 'mdia/mdhd')?.body ?? Buffer.alloc(0);
  const offset = mdhd[0] === 1 ? 20 : 12;
  const timescale = mdhd.length < offset + 4 ? 0 : mdhd.readUInt32BE(offset);
  const stts = at(trak, 'mdia/minf/stbl/stts')?.body;
  return timescale === 0 || stts === undefined ? 0 : timeIn(stts) / timescale;
}

const kindOf = (trak: Node) => at(trak, 'mdia/hdlr')?.body.toString('latin1', 8, 12) ?? '';
const isPlayed = (trak: Node) => ['vide', 'soun'].includes(kindOf(trak));

function describe(trak: Node): { kind: string; codecs: string[] } {
  return {
    kind: kindOf(trak),
    codecs: descriptionsIn(at(trak, 'mdia/minf/stbl/stsd')?.body ?? Buffer.alloc(0)),
  };
}

function descriptionsIn(stsd: Buffer): string[] {
  const found: string[] = [];
  for (let next = 8; next + 8 <= stsd.length && found.length < 16; ) {
    found.push(stsd.toString('latin1', next + 4, next + 8));
    next += Math.max(8, stsd.readUInt32BE(next));
  }
  return found;
}

/** QuickTime says so in its brand, or has none. */
async function isReady(file: FileHandle, boxes: readonly Box[]): Promise<boolean> {
  const [first] = boxes;
  if (first?.type !== 'ftyp') return false;
  const brand = (await file.read(Buffer.alloc(4), 0, 4, first.body)).buffer.toString('latin1');
  const index = (type: string) => boxes.findIndex((box) => box.type === type);
  return brand !== 'qt  ' && index('moov') < index('mdat');
}
