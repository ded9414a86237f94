import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { ffmpeg } from './ffmpeg.ts';
import { box, uint32s } from './hostile-files.ts';

/** Pixels of three bytes, line by line. */
type Rgb = { data: Buffer; width: number; height: number };

/** One picture in HEVC, and its decoder configuration (`hvcC`). */
type Coded = { setup: Buffer; sample: Buffer; width: number; height: number };

type Made = {
  /** Tiles, row by row; one of them is the complete picture. */
  tiles: Rgb[];
  columns?: number;
  /** Size of the picture, if the tiles extend beyond it. */
  size?: { width: number; height: number };
  /** Boxes for orientation and colours, in order. */
  properties?: Buffer[];
  /** EXIF, starting with its directories. */
  exif?: Buffer;
  /** Transparency as grey pixels. */
  alpha?: Rgb;
};

/** A rotation by this many quarters, anticlockwise. */
export const irot = (quarters: number) => box('irot', Buffer.from([quarters]));
/** 0 swaps top and bottom; 1 swaps left and right. */
export const imir = (axis: 0 | 1) => box('imir', Buffer.from([axis]));
export const iccOf = (profile: Buffer) => box('colr', [Buffer.from('prof', 'latin1'), profile]);
export const nclx = (primaries: number, transfer: number) =>
  box('colr', [Buffer.from('nclx', 'latin1'), Buffer.from([0, primaries, 0, transfer, 0, 5, 0x80])]);
/** Cropped size, and the offset of its centre from the full picture's, in pixels. */
export const clap = (width: number, height: number, right: number, down: number) =>
  box('clap', uint32s(width, 1, height, 1, right, 1, down, 1));

/** A HEIC like those of phones: HEVC in an ISO file, in one piece or in tiles. */
export async function heic({
  tiles,
  columns = 1,
  size,
  properties = [],
  exif,
  alpha,
}: Made): Promise<Buffer> {
  const pieces = await Promise.all(tiles.map(code));
  const [first] = pieces;
  if (first === undefined) throw new Error('A picture has a tile.');
  const whole = size ?? { width: first.width, height: first.height };
  const isGrid = pieces.length > 1;
  const items: Item[] = pieces.map((each) => ({
    type: 'hvc1',
    bytes: each.sample,
    properties: [...(isGrid ? [] : properties), each.setup, ispe(each)],
    isHidden: isGrid,
  }));
  if (isGrid)
    items.push({
      type: 'grid',
      bytes: gridOf(pieces.length / columns, columns, whole),
      properties: [...properties, ispe(whole)],
    });
  const primary = isGrid ? items.length : 1;
  const links: Link[] = isGrid
    ? [{ type: 'dimg', from: primary, to: pieces.map((_, place) => place + 1) }]
    : [];
  if (exif !== undefined) {
    items.push({ type: 'Exif', bytes: Buffer.concat([uint32s(0), exif]), properties: [] });
    links.push({ type: 'cdsc', from: items.length, to: [primary] });
  }
  if (alpha !== undefined) {
    const { setup, sample, ...own } = await code(alpha);
    const kind = box('auxC', Buffer.from('\0\0\0\0urn:mpeg:hevc:2015:auxid:1\0', 'latin1'));
    items.push({ type: 'hvc1', bytes: sample, properties: [setup, ispe(own), kind], isHidden: true });
    links.push({ type: 'auxl', from: items.length, to: [primary] });
  }
  return file(items, links, primary);
}

type Item = { type: string; bytes: Buffer; properties: Buffer[]; isHidden?: boolean };
type Link = { type: string; from: number; to: number[] };

const ispe = ({ width, height }: { width: number; height: number }) => box('ispe', uint32s(0, width, height));
const short = (...numbers: number[]) => Buffer.concat(numbers.map((each) => uint32s(each).subarray(2)));

function gridOf(rows: number, columns: number, { width, height }: { width: number; height: number }): Buffer {
  return Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), short(width, height)]);
}

function file(items: Item[], links: Link[], primary: number): Buffer {
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const meta = (start: number) => {
    let at = start;
    const places = items.map(({ bytes }, place) => {
      const entry = Buffer.concat([short(place + 1, 0, 1), uint32s(at, bytes.length)]);
      at += bytes.length;
      return entry;
    });
    const infos = items.map(({ type, isHidden }, place) =>
      box('infe', [
        uint32s(0x02_00_00_00 + (isHidden === true ? 1 : 0)),
        short(place + 1, 0),
        Buffer.from(`${type}\0`, 'latin1'),
      ]),
    );
    const refs = links.map(({ type, from, to }) => box(type, short(from, to.length, ...to)));
    return box('meta', [
      uint32s(0),
      box('hdlr', [uint32s(0, 0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)]),
      box('pitm', [uint32s(0), short(primary)]),
      box('iloc', [uint32s(0), Buffer.from([0x44, 0]), short(items.length), ...places]),
      box('iinf', [uint32s(0), short(items.length), ...infos]),
      ...(refs.length > 0 ? [box('iref', [uint32s(0), ...refs])] : []),
      propertiesOf(items),
    ]);
  };
  const start = head.length + meta(0).length + 8;
  return Buffer.concat([
    head,
    meta(start),
    box(
      'mdat',
      items.map(({ bytes }) => bytes),
    ),
  ]);
}

function propertiesOf(items: Item[]): Buffer {
  const all = items.flatMap(({ properties }) => properties);
  let next = 1;
  const kept = items.filter(({ properties }) => properties.length > 0);
  const lists = kept.map((item) => {
    const numbers = item.properties.map(() => 0x80 | next++);
    return Buffer.concat([short(items.indexOf(item) + 1), Buffer.from([numbers.length, ...numbers])]);
  });
  return box('iprp', [box('ipco', all), box('ipma', [uint32s(0, kept.length), ...lists])]);
}

const coded = new Map<string, Promise<Coded>>();

/** Encodes each picture once, because that is slow. */
function code(picture: Rgb): Promise<Coded> {
  const key = `${picture.width} ${createHash('sha256').update(picture.data).digest('hex')}`;
  const known = coded.get(key) ?? encode(picture);
  coded.set(key, known);
  return known;
}

/** Encodes a picture with the system's FFmpeg into a file of this name. */
async function encoded({ data, width, height }: Rgb, name: string, options: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  const [raw, made] = [join(folder, 'raw'), join(folder, name)];
  const source = `-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -i ${raw}`;
  try {
    await writeFile(raw, data);
    await ffmpeg(...`${source} ${options} ${made}`.split(' '));
    return await readFile(made);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Encodes a picture as a film, and extracts the parts that a HEIC needs from it. */
async function encode(picture: Rgb): Promise<Coded> {
  const colours = '-vf scale=out_color_matrix=bt601:out_range=full,format=yuvj444p';
  const x265 = '-c:v libx265 -preset ultrafast -x265-params log-level=error:crf=8:range=full -tag:v hvc1';
  const bytes = await encoded(picture, 'film.mp4', `${colours} ${x265} -frames:v 1`);
  const { width, height } = picture;
  return { setup: boxIn(bytes, 'hvcC'), sample: boxIn(bytes, 'mdat').subarray(8), width, height };
}

/** An AVIF in Display P3, declared by numbers instead of a profile. */
export function avifInP3(picture: Rgb): Promise<Buffer> {
  const shape = '-vf scale=out_color_matrix=bt709:out_range=full,format=yuv444p -color_range pc';
  const colours = '-color_primaries smpte432 -color_trc iec61966-2-1 -colorspace bt709';
  const coder = '-c:v libaom-av1 -still-picture 1 -cpu-used 8 -crf 5';
  return encoded(picture, 'made.avif', `${shape} ${colours} ${coder}`);
}

function boxIn(bytes: Buffer, type: string): Buffer {
  const at = bytes.indexOf(type, 0, 'latin1') - 4;
  return bytes.subarray(at, at + bytes.readUInt32BE(at));
}

/** Pictures of four coloured quarters, which show their orientation. */
const COLOURS: Record<string, readonly [number, number, number]> = {
  red: [200, 60, 60],
  green: [60, 160, 80],
  blue: [60, 80, 190],
  white: [240, 240, 240],
};
/** Top left, top right, bottom left, bottom right. */
export const UPRIGHT = ['red', 'green', 'blue', 'white'];

/**
 * The stored quarters for each EXIF orientation. The number names the sides of the upright picture that are the first
 * row and the first column.
 */
export const STORED_QUARTERS: Record<number, string[]> = Object.fromEntries(
  ['0123', '1032', '3210', '2301', '0213', '1302', '3120', '2031'].map((places, n) => [
    n + 1,
    [...places].map((place) => UPRIGHT[Number(place)] ?? ''),
  ]),
);

export function quadrants(names: readonly string[] = UPRIGHT, width = 128, height = 64): Rgb {
  const data = Buffer.alloc(3 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const name = names[2 * Number(y >= height / 2) + Number(x >= width / 2)] ?? '';
      data.set(COLOURS[name] ?? [], 3 * (y * width + x));
    }
  return { data, width, height };
}

/** The upright picture as stored with this EXIF orientation. */
export const storedPicture = (orientation: number) =>
  orientation < 5
    ? quadrants(STORED_QUARTERS[orientation])
    : quadrants(STORED_QUARTERS[orientation], 64, 128);

export const drawn = ({ data, width, height }: Rgb) => sharp(data, { raw: { width, height, channels: 3 } });

/** Returns a part of a picture. */
export function part(from: Rgb, left: number, top: number, width: number, height: number): Promise<Rgb> {
  const extracted = drawn(from).extract({ left, top, width, height });
  return extracted
    .raw()
    .toBuffer()
    .then((data) => ({ data, width, height }));
}

/** Returns the colour names of a picture's four quarters, or the numbers of an unknown colour. */
export async function quarterColours(path: string): Promise<string[]> {
  const seen = await middles(path);
  return seen.map((pixel) => {
    const found = Object.entries(COLOURS).find(([, colour]) =>
      colour.every((value, channel) => Math.abs(value - (pixel[channel] ?? 0)) < 45),
    );
    return found?.[0] ?? pixel.join(' ');
  });
}

/** Returns the pixels at the centres of the four quarters, ignoring the profile. */
export async function middles(path: string): Promise<number[][]> {
  const picture = sharp(path, { ignoreIcc: true }).removeAlpha().toColourspace('srgb');
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return [
    [1, 1],
    [3, 1],
    [1, 3],
    [3, 3],
  ].map(([across = 0, down = 0]) => {
    const [x, y] = [Math.floor((across * info.width) / 4), Math.floor((down * info.height) / 4)];
    const at = info.channels * (y * info.width + x);
    return info.channels === 1 ? [0, 1, 2].map(() => data[at] ?? 0) : [...data.subarray(at, at + 3)];
  });
}

/** A camera's raw file (DNG): a main directory, and others with one JPEG each. */
export function rawFile(jpegs: readonly Buffer[], orientation: number): Buffer {
  const head = Buffer.from('II*\0\x08\0\0\0', 'latin1');
  const DIRECTORY = 2 + 12 * 3 + 4;
  const list = head.length + DIRECTORY;
  const inner = jpegs.map((_, place) => list + 4 * jpegs.length + DIRECTORY * place);
  let at = list + (4 + DIRECTORY) * jpegs.length;
  const inside = jpegs.map(({ length }) => {
    at += length;
    return entries([259, 3, 1, 7], [273, 4, 1, at - length], [279, 4, 1, length]);
  });
  const own = entries(
    [274, 3, 1, orientation],
    [330, 4, jpegs.length, jpegs.length === 1 ? (inner[0] ?? 0) : list],
    [0xc612, 1, 4, 0x00_00_04_01],
  );
  const numbers = Buffer.from(Uint32Array.from(inner).buffer);
  return Buffer.concat([head, own, numbers, ...inside, ...jpegs]);
}

type Entry = readonly [tag: number, type: number, count: number, value: number];

function entries(...rows: Entry[]): Buffer {
  const bytes = Buffer.alloc(2 + 12 * rows.length + 4);
  bytes.writeUInt16LE(rows.length, 0);
  for (const [place, [tag, type, count, value]] of rows.entries()) {
    const at = 2 + 12 * place;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  return bytes;
}
