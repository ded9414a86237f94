import { at, type Node, treeOf } from '../../src/server/features/uploads/mp4/boxes.ts';
import { box, words } from './hostile-films.ts';

/** A film as it would come from a phone, without the bytes between its beginning and its index: those may be anything. */
export type LongFilm = { beginning: Buffer; index: Buffer; size: number };

type Shape = {
  seconds: number;
  bytes: number;
  /** How long picture and sound go on before it is the other's turn, in seconds. */
  turn?: number;
  /** Does something that belongs to neither lie between them? */
  stranger?: boolean;
  /** Do all pieces lie at the same place? Then the file is much smaller than its film. */
  stacked?: boolean;
};

const FRAMES = 24;
const SOUNDS = 47;
const SOUND_BYTES = 340;
/** One picture in two seconds stands by itself, and is so much larger than the others. */
const KEY = 2 * FRAMES;
const KEY_WEIGHT = 5;

/**
 * A film of any length made of a fixture of a second and a half (24 pictures a second after the change, its index last): its headers, its first
 * picture, and tables for as many pictures (some of them shown in another order than they come) and sounds as there are.
 */
export function longFilm(fixture: Buffer, shape: Shape): LongFilm {
  const { seconds, bytes, turn = 1 } = shape;
  const moov = indexIn(fixture);
  const [video, audio] = moov.children.filter(({ type }) => type === 'trak');
  if (!video || !audio) throw new Error('picture and sound');
  const first = firstSampleOf(video, fixture);
  const pictures = picturesFor(seconds, bytes - seconds * SOUNDS * SOUND_BYTES, first.length);
  const sounds = Array.from({ length: seconds * SOUNDS }, () => SOUND_BYTES);
  const start = Buffer.concat([fixture.subarray(0, fixture.readUInt32BE(0)), Buffer.alloc(16)]);
  const laid = layOut(start.length, pictures, sounds, shape);
  start.writeUInt32BE(1, start.length - 16);
  start.write('mdat', start.length - 12, 'latin1');
  start.writeBigUInt64BE(BigInt(laid.end - start.length + 16), start.length - 8);
  const delta = timescaleOf(video) / FRAMES;
  const replaced = [
    tablesOf(pictures, laid.pictures, { delta, turn, each: FRAMES }),
    tablesOf(sounds, laid.sounds, { delta: Math.round(timescaleOf(audio) / SOUNDS), turn, each: SOUNDS }),
  ];
  const traks = [video, audio].map((trak, i) =>
    rebuilt(trak, { ...replaced[i], ...(i === 0 ? shown(pictures.length, delta) : {}) }),
  );
  const index = box('moov', [box('mvhd', at(moov, 'mvhd')?.body), ...traks]);
  return { beginning: Buffer.concat([start, first]), index, size: laid.end + index.length };
}

function indexIn(film: Buffer): Node {
  const from = film.lastIndexOf('moov') - 4;
  const tree = treeOf('moov', film.subarray(from + 8, from + film.readUInt32BE(from)));
  if (tree === null) throw new Error('an index');
  return tree;
}

const stblOf = (trak: Node, table: string): Buffer =>
  at(trak, `mdia/minf/stbl/${table}`)?.body ?? Buffer.alloc(0);
const timescaleOf = (trak: Node): number => at(trak, 'mdia/mdhd')?.body.readUInt32BE(12) ?? 0;

function firstSampleOf(trak: Node, film: Buffer): Buffer {
  const from = stblOf(trak, 'stco').readUInt32BE(8);
  return film.subarray(from, from + stblOf(trak, 'stsz').readUInt32BE(12));
}

function picturesFor(seconds: number, bytes: number, first: number): number[] {
  const count = seconds * FRAMES;
  const keys = Math.ceil(count / KEY);
  const plain = Math.floor(bytes / (count + keys * (KEY_WEIGHT - 1)));
  const sizes = Array.from({ length: count }, (_, i) =>
    i % KEY === 0 ? KEY_WEIGHT * plain : plain + (i % 7),
  );
  sizes[0] = first;
  return sizes;
}

/** Where the chunks begin, and where they all end. */
function layOut(
  start: number,
  pictures: number[],
  sounds: number[],
  { seconds, turn = 1, stranger, stacked }: Shape,
) {
  const laid = { pictures: [] as number[], sounds: [] as number[], end: start };
  let next = start;
  const lay = (bytes: number) => {
    const from = next;
    laid.end = Math.max(laid.end, from + bytes);
    next = stacked ? start : from + bytes;
    return from;
  };
  const sum = (sizes: number[], each: number, second: number) =>
    sizes.slice(second * each, (second + turn) * each).reduce((all, size) => all + size, 0);
  for (let second = 0; second < seconds; second += turn) {
    laid.pictures.push(lay(sum(pictures, FRAMES, second)));
    if (stranger) lay(100);
    laid.sounds.push(lay(sum(sounds, SOUNDS, second)));
  }
  return laid;
}

type Rhythm = { delta: number; turn: number; each: number };

function tablesOf(sizes: number[], chunks: number[], { delta, turn, each }: Rhythm): Record<string, Buffer> {
  return {
    stts: words(0, 1, sizes.length, delta),
    stsz: Buffer.concat([words(0, 0, sizes.length), wordsOf(sizes)]),
    stsc: words(0, 1, 1, turn * each, 1),
    stco: Buffer.concat([words(0, chunks.length), wordsOf(chunks)]),
  };
}

function wordsOf(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * i);
  return bytes;
}

/** By how many pictures the one at this place after a key is shown later than it comes: two of three come after one that is shown later. */
function shiftAt(place: number): number {
  if (place === 0) return 1;
  if (place % 3 !== 1) return 0;
  return Math.min(3, KEY - place);
}

function shown(count: number, delta: number): Record<string, Buffer> {
  const shifts = Array.from({ length: count }, (_, i) => [1, shiftAt(i % KEY) * delta]);
  const keys = Array.from({ length: Math.ceil(count / KEY) }, (_, i) => 1 + i * KEY);
  return {
    ctts: Buffer.concat([words(0, count), wordsOf(shifts.flat())]),
    stss: Buffer.concat([words(0, keys.length), wordsOf(keys)]),
  };
}

/** A box with some of the tables in it replaced. */
function rebuilt(node: Node, tables: Record<string, Buffer | undefined>): Buffer {
  const own = tables[node.type];
  if (own !== undefined) return box(node.type, own);
  return box(
    node.type,
    node.children.length === 0 ? node.body : node.children.map((child) => rebuilt(child, tables)),
  );
}
