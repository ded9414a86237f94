import { crc32 } from 'node:zlib';
import type { Random } from './random.ts';

/** Mutations of valid files. */

/** Numbers that parsers mishandle: zero, one, the largest, and those at a change of sign. */
const BOUNDARY_NUMBERS = [
  0, 1, 2, 0x7f, 0xff, 0xff_ff, 0x01_00_00_00, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff,
];
/** Headers are within this many bytes of the file's start or end. */
const HEADER_BYTES = 3_000;

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

/** Returns a random position, mostly in the headers. */
function randomOffset({ length }: Buffer, random: Random): number {
  const near = Math.min(length, HEADER_BYTES);
  return random.pick([random.int(near), length - 1 - random.int(near), random.int(length)]);
}

function cutOut(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = randomOffset(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + random.int(random.pick([8, 300, bytes.length])))];
}

/** Offsets of the numbers in a film's boxes, in bytes after the box's name. */
const IN_BOXES: Record<string, number[]> = {
  mvhd: [12, 16],
  tkhd: [12, 20, 76, 80],
  mdhd: [12, 16],
  elst: [4, 8, 12, 16],
  stsd: [-8, 4, 8],
  avc1: [24],
  avcC: [0, 4],
  stts: [-8, 4, 8, 12],
  ctts: [4, 8, 12],
  stss: [4, 8],
  stsc: [4, 8, 12, 16],
  stsz: [-8, 4, 8, 12],
  stco: [-8, 4, 8],
};
const CONTAINERS = ['ftyp', 'mdat', 'moov', 'trak', 'mdia', 'minf', 'stbl'];
/** Offsets of the numbers in a WAV header. */
const IN_WAV = [4, 16, 24, 28, 40];

/** Returns the positions of the four-byte numbers in a file's headers; those of a PDF are text, see below. */
function headerNumbers(bytes: Buffer): number[] {
  const kind = bytes.toString('latin1', 0, 8);
  if (kind.startsWith('RIFF')) return IN_WAV;
  // Width and height.
  if (kind.startsWith('\x89PNG')) return [16, 20];
  const sizes = CONTAINERS.map((name): [string, number[]] => [name, [-8]]);
  return [...Object.entries(IN_BOXES), ...sizes].flatMap(([box, numbers]) => {
    const at = bytes.indexOf(box, 0, 'latin1');
    return at < 4 ? [] : numbers.map((behind) => at + 4 + behind);
  });
}

function falsePdf(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('latin1');
  const offsets = [...text.matchAll(/(?<=\/(?:Length|Count|Size|Prev|First|N|Root|Kids)\s+\[?\s*)\d+/g)];
  if (offsets.length === 0) return bytes;
  const { index, 0: number } = random.pick(offsets);
  return Buffer.from(
    text.slice(0, index) + random.pick(BOUNDARY_NUMBERS) + text.slice(index + number.length),
    'latin1',
  );
}

const MUTATIONS: Record<string, Mutation> = {
  'what it says of itself lies'(bytes, random) {
    if (bytes.toString('latin1', 0, 4) === '%PDF') return falsePdf(bytes, random);
    const [at, lie] = [random.pick(headerNumbers(bytes)), random.pick(BOUNDARY_NUMBERS)];
    if (at === undefined || at + 4 > bytes.length) return bytes;
    if (bytes.toString('latin1', 0, 4) === 'RIFF') bytes.writeUInt32LE(lie, at);
    else bytes.writeUInt32BE(lie, at);
    // Corrects the checksum of a PNG's header.
    if (bytes[0] === 0x89 && bytes.length > 33) bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    return bytes;
  },
  'a few bits are others'(bytes, random) {
    for (let n = 1 + random.int(20); n > 0; n -= 1) {
      const at = randomOffset(bytes, random);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8));
    }
    return bytes;
  },
  'a number lies'(bytes, random) {
    const lie = random.int(4) === 0 ? random.int(2 ** 32) : random.pick(BOUNDARY_NUMBERS);
    const at = Math.min(randomOffset(bytes, random), bytes.length - 4);
    if (random.int(3) > 0) bytes.writeUInt32BE(lie, at);
    else bytes.writeUInt32LE(lie, at);
    return bytes;
  },
  'it is cut'(bytes, random) {
    return bytes.subarray(0, randomOffset(bytes, random));
  },
  'a piece is missing'(bytes, random) {
    const [from, to] = cutOut(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  'a piece is there again'(bytes, random) {
    const [from, to] = cutOut(bytes, random);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
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

/** Returns a mutated file and the names of its mutations. */
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
