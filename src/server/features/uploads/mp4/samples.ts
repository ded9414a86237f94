import { at, type Node } from './boxes.ts';

/** More samples than ten hours of film have: a larger count is a lie that would cost memory. */
export const MOST_SAMPLES = 3_000_000;

/** How many samples a track has, and the first byte of the file behind all of them. */
export type Samples = { count: number; end: number };

/**
 * Adds up a track's sample tables. Null when they contradict themselves: counts beyond their boxes, chunks without samples, samples without
 * chunks, more than any film has.
 */
export function samplesOf(trak: Node): Samples | null {
  const stbl = at(trak, 'mdia/minf/stbl');
  const sizes = stbl && sizesIn(stbl);
  if (!stbl || !sizes || !runsFit(stbl)) return null;
  if (sizes.count === 0) return { count: 0, end: 0 };
  const offsets = offsetsIn(stbl);
  const runs = stbl.children.find(({ type }) => type === 'stsc')?.body;
  return offsets && runs && fits(runs, 8, 12)
    ? { count: sizes.count, end: endOf(sizes, offsets, runs) }
    : null;
}

type Sizes = { count: number; each: number; table: Buffer };

function sizesIn(stbl: Node): Sizes | null {
  const body = at(stbl, 'stsz')?.body;
  if (body === undefined || body.length < 12) return null;
  const [each, count] = [body.readUInt32BE(4), body.readUInt32BE(8)];
  const table = body.subarray(12);
  return count > MOST_SAMPLES || (each === 0 && count * 4 > table.length) ? null : { count, each, table };
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

function samplesIn(runs: Buffer): number {
  let sum = 0;
  for (let i = 0; i < runs.readUInt32BE(4); i += 1) sum += runs.readUInt32BE(8 + 8 * i);
  return sum;
}

function fits(body: Buffer, header: number, width: number): boolean {
  return body.length >= header && body.readUInt32BE(4) * width <= body.length - header;
}

/** Walks the chunks: `stsc` says how many samples each has from which chunk on. Infinity when samples are left without a chunk. */
function endOf({ count, each, table }: Sizes, offsets: Offsets, runs: Buffer): number {
  const runCount = runs.readUInt32BE(4);
  let [run, sample, end] = [0, 0, 0];
  for (let chunk = 0; chunk < offsets.count && sample < count; chunk += 1) {
    if (run + 1 < runCount && runs.readUInt32BE(8 + 12 * (run + 1)) <= chunk + 1) run += 1;
    const here = runCount === 0 ? 0 : Math.min(runs.readUInt32BE(8 + 12 * run + 4), count - sample);
    let bytes = each * here;
    if (each === 0) for (let i = 0; i < here; i += 1) bytes += table.readUInt32BE(4 * (sample + i));
    end = Math.max(end, offsets.of(chunk) + bytes);
    sample += here;
  }
  return sample < count ? Number.POSITIVE_INFINITY : end;
}
