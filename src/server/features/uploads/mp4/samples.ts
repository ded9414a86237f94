import { at, type Node } from './boxes.ts';

/** More samples than ten hours of film have: a larger count is a lie that would cost memory. */
export const MOST_SAMPLES = 3_000_000;

/** Bytes of the file. */
export type Place = { from: number; bytes: number };

/** How many samples a track has, where the first of them lies, and the first byte of the file behind all of them. */
export type Samples = { count: number; first: Place | null; end: number };

/** Where a track's samples lie: how large each is, where the chunks begin, and how many samples each chunk has (`stsc`). */
export type Tables = { sizes: Sizes; offsets: Offsets; runs: Buffer };

/**
 * Adds up a track's sample tables. Null when they contradict themselves: counts beyond their boxes, chunks without samples, samples without
 * chunks, more than any film has.
 */
export function samplesOf(trak: Node): Samples | null {
  const stbl = at(trak, 'mdia/minf/stbl');
  const sizes = stbl && sizesIn(stbl);
  if (!stbl || !sizes || !runsFit(stbl)) return null;
  if (sizes.count === 0) return { count: 0, first: null, end: 0 };
  const tables = tablesIn(stbl);
  return tables && { count: sizes.count, ...extentOf(tables) };
}

/** The tables that say where samples lie; null when one of them is missing or counts beyond its box. */
export function tablesIn(stbl: Node): Tables | null {
  const sizes = sizesIn(stbl);
  const offsets = offsetsIn(stbl);
  const runs = at(stbl, 'stsc')?.body;
  return sizes && offsets && runs && fits(runs, 8, 12) ? { sizes, offsets, runs } : null;
}

/**
 * Does no chunk claim more samples than the track has? A library that believed four thousand million of them would count for minutes. A
 * track without sizes, as in a film of fragments, has none here.
 */
export function hasHonestChunks(trak: Node): boolean {
  const stsz = at(trak, 'mdia/minf/stbl/stsz')?.body;
  const runs = at(trak, 'mdia/minf/stbl/stsc')?.body;
  if (runs === undefined) return true;
  if (!fits(runs, 8, 12)) return false;
  const count = stsz === undefined || stsz.length < 12 ? 0 : stsz.readUInt32BE(8);
  for (let run = 0; run < runs.readUInt32BE(4); run += 1)
    if (runs.readUInt32BE(8 + 12 * run + 4) > count) return false;
  return true;
}

type Sizes = { count: number; of(sample: number): number };

function sizesIn(stbl: Node): Sizes | null {
  const body = at(stbl, 'stsz')?.body;
  if (body === undefined || body.length < 12) return null;
  const [each, count] = [body.readUInt32BE(4), body.readUInt32BE(8)];
  if (count > MOST_SAMPLES || (each === 0 && count * 4 > body.length - 12)) return null;
  return { count, of: each === 0 ? (sample) => body.readUInt32BE(12 + 4 * sample) : () => each };
}

type Offsets = { count: number; of(chunk: number): number };

function offsetsIn(stbl: Node): Offsets | null {
  const short = at(stbl, 'stco')?.body;
  if (short !== undefined)
    return fits(short, 8, 4)
      ? { count: short.readUInt32BE(4), of: (i) => short.readUInt32BE(8 + 4 * i) }
      : null;
  const long = at(stbl, 'co64')?.body;
  return long !== undefined && fits(long, 8, 8)
    ? { count: long.readUInt32BE(4), of: (i) => Number(long.readBigUInt64BE(8 + 8 * i)) }
    : null;
}

/** Times, offsets and edits come in runs: all of them must be where their box says, and not more than samples there can be. */
function runsFit(stbl: Node): boolean {
  const widths = { stts: 8, ctts: 8, stss: 4 } as const;
  return Object.entries(widths).every(([type, width]) => {
    const body = at(stbl, type)?.body;
    if (body === undefined) return true;
    if (!fits(body, 8, width)) return false;
    return width === 4 || samplesIn(body) <= MOST_SAMPLES;
  });
}

/** How many samples a table of runs (`stts`, `ctts`) speaks of. */
export function samplesIn(runs: Buffer): number {
  let sum = 0;
  for (let i = 0; i < runs.readUInt32BE(4); i += 1) sum += runs.readUInt32BE(8 + 8 * i);
  return sum;
}

/** How long all samples stay together, by the table of their times (`stts`). */
export function timeIn(stts: Buffer): number {
  let sum = 0;
  for (let i = 0; i < stts.readUInt32BE(4); i += 1)
    sum += stts.readUInt32BE(8 + 8 * i) * stts.readUInt32BE(12 + 8 * i);
  return sum;
}

function fits(body: Buffer, header: number, width: number): boolean {
  return body.length >= header && body.readUInt32BE(4) * width <= body.length - header;
}

/** Samples that lie one behind the other: where they begin, the first of them, and how many they are. */
type Chunk = { from: number; first: number; samples: number };

/** Walks the chunks: `stsc` says how many samples each has from which chunk on. */
export function* chunksIn({ sizes, offsets, runs }: Tables): Generator<Chunk> {
  const runCount = runs.readUInt32BE(4);
  let [run, first] = [0, 0];
  for (let chunk = 0; chunk < offsets.count && first < sizes.count; chunk += 1) {
    if (run + 1 < runCount && runs.readUInt32BE(8 + 12 * (run + 1)) <= chunk + 1) run += 1;
    const samples = runCount === 0 ? 0 : Math.min(runs.readUInt32BE(8 + 12 * run + 4), sizes.count - first);
    yield { from: offsets.of(chunk), first, samples };
    first += samples;
  }
}

/** The end is at Infinity when samples are left without a chunk. */
function extentOf(tables: Tables): { first: Place | null; end: number } {
  const { sizes } = tables;
  let [found, end] = [0, 0];
  let place: Place | null = null;
  for (const { from, first, samples } of chunksIn(tables)) {
    if (samples > 0) place ??= { from, bytes: sizes.of(0) };
    let bytes = 0;
    for (let sample = first; sample < first + samples; sample += 1) bytes += sizes.of(sample);
    end = Math.max(end, from + bytes);
    found += samples;
  }
  return { first: place, end: found < sizes.count ? Number.POSITIVE_INFINITY : end };
}
