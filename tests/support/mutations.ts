import type { Random } from './random.ts';

/** Numbers that readers stumble over: none, one, the largest, and those in which a sign turns round. */
const LIES = [0, 1, 2, 0x7f, 0xff, 0xff_ff, 0x01_00_00_00, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff];
/** Most of what a file says of itself stands at its beginning or at its end, within so many bytes. */
const SAID = 3_000;

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

/** A place in it: mostly where it says what it is. */
function placeIn({ length }: Buffer, random: Random): number {
  const near = Math.min(length, SAID);
  return random.pick([random.int(near), length - 1 - random.int(near), random.int(length)]);
}

function cutOut(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = placeIn(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + random.int(random.pick([8, 300, bytes.length])))];
}

const MUTATIONS: Record<string, Mutation> = {
  'a few bits are others'(bytes, random) {
    for (let n = 1 + random.int(20); n > 0; n -= 1) {
      const at = placeIn(bytes, random);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8));
    }
    return bytes;
  },
  'one byte is another'(bytes, random) {
    bytes[placeIn(bytes, random)] = random.int(256);
    return bytes;
  },
  'a number lies'(bytes, random) {
    const lie = random.int(4) === 0 ? random.int(2 ** 32) : random.pick(LIES);
    const at = Math.min(placeIn(bytes, random), bytes.length - 4);
    if (random.int(3) > 0) bytes.writeUInt32BE(lie, at);
    else bytes.writeUInt32LE(lie, at);
    return bytes;
  },
  'it is cut'(bytes, random) {
    return bytes.subarray(0, placeIn(bytes, random));
  },
  'a piece is missing'(bytes, random) {
    const [from, to] = cutOut(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  'a piece is there again'(bytes, random) {
    const [from, to] = cutOut(bytes, random);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  'a piece is empty'(bytes, random) {
    const [from, to] = cutOut(bytes, random);
    return bytes.fill(random.pick([0, 0xff]), from, to);
  },
  'a piece is another file’s'(bytes, random, other) {
    const [from, to] = cutOut(bytes, random);
    const begin = random.int(other.length);
    return Buffer.concat([
      bytes.subarray(0, from),
      other.subarray(begin, begin + to - from),
      bytes.subarray(to),
    ]);
  },
};

/** A file with something wrong in it, and what that is. */
export function mutated(bytes: Buffer, random: Random, other: Buffer): { bytes: Buffer; what: string } {
  const names: string[] = [];
  let changed: Buffer = Buffer.from(bytes);
  for (let n = random.int(4) === 0 ? 2 : 1; n > 0 && changed.length > 8; n -= 1) {
    const name = random.pick(Object.keys(MUTATIONS));
    changed = MUTATIONS[name]?.(changed, random, other) ?? changed;
    names.push(name);
  }
  return { bytes: changed, what: names.join(', ') };
}
