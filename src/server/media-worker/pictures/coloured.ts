import type { Sharp } from 'sharp';
import { sharp } from './library.ts';
import { opened, type Pixels } from './pixels.ts';

/** Returns the pixels with a colour profile. sharp reads profiles only from files, so the simplest kind of file is built. */
export const withColourProfile = (pixels: Pixels, icc: Buffer | null): Sharp =>
  icc === null ? opened(pixels) : sharp(tiffOf(pixels, icc));

const SHORT = 3;
const LONG = 4;
const ANYTHING = 7;
/** Rows per strip. */
const STRIP = 64;

type TiffEntry = { tag: number; type: number; values: number[] | Buffer };

/** Returns an uncompressed TIFF: the pixels, then its only directory. */
function tiffOf({ data, width, height, channels }: Pixels, icc: Buffer): Buffer {
  const head = Buffer.alloc(8);
  const start = 8 + data.length + (data.length % 2);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(start, 4);
  const row = width * channels;
  const strips = Array.from({ length: Math.ceil(height / STRIP) }, (_, at) => at * STRIP);
  const hasAlpha = channels % 2 === 0;
  const entries: TiffEntry[] = [
    { tag: 256, type: LONG, values: [width] },
    { tag: 257, type: LONG, values: [height] },
    { tag: 258, type: SHORT, values: Array.from({ length: channels }, () => 8) },
    { tag: 259, type: SHORT, values: [1] },
    { tag: 262, type: SHORT, values: [channels < 3 ? 1 : 2] },
    { tag: 273, type: LONG, values: strips.map((top) => 8 + top * row) },
    { tag: 277, type: SHORT, values: [channels] },
    { tag: 278, type: LONG, values: [STRIP] },
    { tag: 279, type: LONG, values: strips.map((top) => Math.min(STRIP, height - top) * row) },
    ...(hasAlpha ? [{ tag: 338, type: SHORT, values: [2] }] : []),
    { tag: 34_675, type: ANYTHING, values: icc },
  ];
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2), directory(entries, start)]);
}

/** @param start offset of the directory in the file */
function directory(entries: readonly TiffEntry[], start: number): Buffer {
  const table = Buffer.alloc(2 + 12 * entries.length + 4);
  table.writeUInt16LE(entries.length, 0);
  const behind: Buffer[] = [];
  let end = start + table.length;
  entries.forEach(({ tag, type, values }, place) => {
    const bytes = Buffer.isBuffer(values) ? values : numbers(values, type);
    const at = 2 + 12 * place;
    table.writeUInt16LE(tag, at);
    table.writeUInt16LE(type, at + 2);
    table.writeUInt32LE(values.length, at + 4);
    if (bytes.length <= 4) return void bytes.copy(table, at + 8);
    table.writeUInt32LE(end, at + 8);
    const even = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
    behind.push(even);
    end += even.length;
  });
  return Buffer.concat([table, ...behind]);
}

function numbers(values: readonly number[], type: number): Buffer {
  const size = type === SHORT ? 2 : 4;
  const bytes = Buffer.alloc(size * values.length);
  values.forEach((value, place) => bytes.writeUIntLE(value, size * place, size));
  return bytes;
}
