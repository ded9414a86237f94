import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpeg } from './ffmpeg.ts';
import { box, words } from './hostile-films.ts';

/** Pixels of three bytes, line by line. */
export type Rgb = { data: Buffer; width: number; height: number };

/** One picture in HEVC, and what is needed to decode it (`hvcC`). */
type Coded = { setup: Buffer; sample: Buffer; width: number; height: number };

type Made = {
  /** Tiles, row by row; one of them is the whole picture. */
  tiles: Rgb[];
  columns?: number;
  /** Of the whole, where the tiles reach beyond it. */
  size?: { width: number; height: number };
  /** Boxes that say how it is turned and how its colours are meant, in their order. */
  properties?: Buffer[];
  /** EXIF as it begins with its directories. */
  exif?: Buffer;
  /** How much of it lets through what is behind: grey pixels. */
  alpha?: Rgb;
};

/** A turn by so many quarters, against the clock. */
export const irot = (quarters: number) => box('irot', Buffer.from([quarters]));
/** 0: top and bottom change places; 1: left and right do. */
export const imir = (axis: 0 | 1) => box('imir', Buffer.from([axis]));
export const iccOf = (profile: Buffer) => box('colr', [Buffer.from('prof', 'latin1'), profile]);
export const nclx = (primaries: number, transfer: number) =>
  box('colr', [Buffer.from('nclx', 'latin1'), Buffer.from([0, primaries, 0, transfer, 0, 5, 0x80])]);
/** What stays of it: width, height, and how far its middle lies from the whole's (pixels). */
export const clap = (width: number, height: number, right: number, down: number) =>
  box('clap', words(width, 1, height, 1, right, 1, down, 1));

/** A HEIC as phones write them: HEVC in an ISO file, in one piece or in tiles. */
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
    items.push({ type: 'Exif', bytes: Buffer.concat([words(0), exif]), properties: [] });
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

const ispe = ({ width, height }: { width: number; height: number }) => box('ispe', words(0, width, height));
const short = (...numbers: number[]) => Buffer.concat(numbers.map((each) => words(each).subarray(2)));

function gridOf(rows: number, columns: number, { width, height }: { width: number; height: number }): Buffer {
  return Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), short(width, height)]);
}

function file(items: Item[], links: Link[], primary: number): Buffer {
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const meta = (start: number) => {
    let at = start;
    const places = items.map(({ bytes }, place) => {
      const entry = Buffer.concat([short(place + 1, 0, 1), words(at, bytes.length)]);
      at += bytes.length;
      return entry;
    });
    const infos = items.map(({ type, isHidden }, place) =>
      box('infe', [
        words(0x02_00_00_00 + (isHidden === true ? 1 : 0)),
        short(place + 1, 0),
        Buffer.from(`${type}\0`, 'latin1'),
      ]),
    );
    const refs = links.map(({ type, from, to }) => box(type, short(from, to.length, ...to)));
    return box('meta', [
      words(0),
      box('hdlr', [words(0, 0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)]),
      box('pitm', [words(0), short(primary)]),
      box('iloc', [words(0), Buffer.from([0x44, 0]), short(items.length), ...places]),
      box('iinf', [words(0), short(items.length), ...infos]),
      ...(refs.length > 0 ? [box('iref', [words(0), ...refs])] : []),
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
  return box('iprp', [box('ipco', all), box('ipma', [words(0, kept.length), ...lists])]);
}

const coded = new Map<string, Promise<Coded>>();

/** Each picture is coded once: that takes long. */
function code(picture: Rgb): Promise<Coded> {
  const key = `${picture.width} ${createHash('sha256').update(picture.data).digest('hex')}`;
  const known = coded.get(key) ?? codeAnew(picture);
  coded.set(key, known);
  return known;
}

/** Codes a picture with the system's FFmpeg, and takes out of the film it makes what a HEIC wants of it. */
async function codeAnew({ data, width, height }: Rgb): Promise<Coded> {
  const folder = await mkdtemp(join(tmpdir(), 'heic-'));
  const [raw, film] = [join(folder, 'raw'), join(folder, 'film.mp4')];
  const source = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', raw];
  const colours = ['-vf', 'scale=out_color_matrix=bt601:out_range=full,format=yuvj444p'];
  const x265 = 'log-level=error:crf=8:range=full';
  const coder = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', x265, '-tag:v', 'hvc1'];
  try {
    await writeFile(raw, data);
    await ffmpeg(...source, ...colours, ...coder, '-frames:v', '1', film);
    const bytes = await readFile(film);
    return { setup: boxIn(bytes, 'hvcC'), sample: boxIn(bytes, 'mdat').subarray(8), width, height };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An AVIF whose colours are Display P3's, and which says so by numbers and not by a profile. */
export async function avifInP3({ data, width, height }: Rgb): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'avif-'));
  const [raw, made] = [join(folder, 'raw'), join(folder, 'made.avif')];
  const source = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', raw];
  const shape = ['-vf', 'scale=out_color_matrix=bt709:out_range=full,format=yuv444p'];
  const colours = ['-color_primaries', 'smpte432', '-color_trc', 'iec61966-2-1', '-colorspace', 'bt709'];
  const coder = ['-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8', '-crf', '5'];
  try {
    await writeFile(raw, data);
    await ffmpeg(...source, ...shape, ...colours, '-color_range', 'pc', ...coder, made);
    return await readFile(made);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function boxIn(bytes: Buffer, type: string): Buffer {
  const at = bytes.indexOf(type, 0, 'latin1') - 4;
  return bytes.subarray(at, at + bytes.readUInt32BE(at));
}
