import type { Node } from './boxes.ts';
import { MOST_SAMPLES } from './samples.ts';

/** Bytes of each sample in a run of a fragment, by the flags that say what is told of it (ISO 14496-12, 8.8.8). */
const PER_SAMPLE = [0x100, 0x200, 0x400, 0x800] as const;
const DATA_OFFSET = 0x1;
const FIRST_FLAGS = 0x4;

/** Adds a fragment's samples to the counts of their tracks; false when it says more than it holds. */
export function countFragments(moof: Node, counts: Map<number, number>): boolean {
  return moof.children.filter(({ type }) => type === 'traf').every((traf) => countTrack(traf, counts));
}

function countTrack(traf: Node, counts: Map<number, number>): boolean {
  const header = traf.children.find(({ type }) => type === 'tfhd')?.body;
  if (header === undefined || header.length < 8) return false;
  const id = header.readUInt32BE(4);
  for (const { body } of traf.children.filter(({ type }) => type === 'trun')) {
    const count = runLength(body);
    if (count === null) return false;
    counts.set(id, (counts.get(id) ?? 0) + count);
    if ((counts.get(id) ?? 0) > MOST_SAMPLES) return false;
  }
  return true;
}

function runLength(run: Buffer): number | null {
  if (run.length < 8) return null;
  const flags = run.readUInt32BE(0) & 0xff_ff_ff;
  const count = run.readUInt32BE(4);
  const fixed = 8 + (flags & DATA_OFFSET ? 4 : 0) + (flags & FIRST_FLAGS ? 4 : 0);
  const each = 4 * PER_SAMPLE.filter((flag) => flags & flag).length;
  return fixed + count * each <= run.length ? count : null;
}
