import { crc32, deflateSync } from 'node:zlib';
import { box } from './hostile-films.ts';

/** Files that look like pictures, and things that are called so. */

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG that says it is so large, with so little in it. */
export function vastPng(width: number, height: number, kind = GREY): Buffer {
  return pngOf(width, height, kind, deflateSync(Buffer.alloc(1_000)));
}

function pngOf(width: number, height: number, kind: number[], data: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(kind, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Bits of a sample, what the samples are, and the three ways of packing them. */
const GREY = [8, 0, 0, 0, 0];

/** The same in colours of 16 bits that come in seven rounds: nothing of it is known before all of it is. */
export const vastInterlacedPng = (width: number, height: number) => vastPng(width, height, [16, 6, 0, 0, 1]);

/** A small PNG with a text that unfolds to so many bytes. */
export function wordyPng(png: Buffer, bytes: number): Buffer {
  const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes))]);
  return Buffer.concat([png.subarray(0, 33), chunk('zTXt', text), png.subarray(33)]);
}

/** A JPEG that says it is so large. */
export function vastJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg);
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker < 0xc0 || marker > 0xc2) continue;
    bytes.writeUInt16BE(height, at + 5);
    bytes.writeUInt16BE(width, at + 7);
    return bytes;
  }
  throw new Error('A JPEG without a frame.');
}

/** The beginning of a picture in an ISO file: HEIC, AVIF. */
export const isoPicture = (brand: string) =>
  Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1${brand}`, 'latin1')),
    box('meta', Buffer.alloc(64)),
    box('mdat', Buffer.alloc(64)),
  ]);

export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
export const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
export const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
export const HTML = '<!doctype html><html><body><script>alert(document.cookie)</script></body></html>';

/** Where the seven rounds of an interlaced PNG begin, and how far their pixels lie from each other: across, down. */
const ROUNDS = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** One that has all of what it says: black, in colours of 16 bits, in seven rounds. */
export function wholeInterlacedPng(width: number, height: number): Buffer {
  const size = ROUNDS.reduce((sum, [left, top, across, down]) => {
    const columns = Math.ceil((width - left) / across);
    return sum + Math.ceil((height - top) / down) * (1 + 8 * columns);
  }, 0);
  return pngOf(width, height, [16, 6, 0, 0, 1], deflateSync(Buffer.alloc(size), { level: 1 }));
}
