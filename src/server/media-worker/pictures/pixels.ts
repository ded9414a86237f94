import sharp, { type Sharp } from 'sharp';

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

/** sharp, limited to these formats and without a cache. */
export { sharp };

/** A picture in memory, row by row: 1 to 4 bytes per pixel (grey, grey and alpha, RGB, RGB and alpha). */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

export type Size = { width: number; height: number };

export const opened = ({ data, ...raw }: Pixels): Sharp => sharp(data, { raw });

/** Returns the result of sharp's steps, with eight bits per channel. */
export async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels > 4 || channels < 1) throw new Error('A picture has one to four channels.');
  return { data, width, height, channels };
}

const TIMEOUT_SECONDS = 60;

/** Returns the pixels of a picture reduced to `side` at most, in sRGB. */
export const reducedPixels = (picture: Sharp, side: number): Promise<Pixels> =>
  pixelsOf(
    picture
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .timeout({ seconds: TIMEOUT_SECONDS }),
  );

/** Returns true if any pixel is not fully opaque. */
export function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 1 || channels === 3) return false;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 0xff) return true;
  return false;
}

/** A step that turns a stored picture upright. */
export type OrientationStep =
  /** Clockwise. */
  | { how: 'turn'; degrees: number }
  /** `top` swaps top and bottom, `left` swaps left and right. */
  | { how: 'mirror'; over: 'top' | 'left' }
  /** A part to cut out, in pixels of a picture of size `of`. */
  | ({ how: 'crop'; left: number; top: number; of: Size } & Size);

const turn = (degrees: number): OrientationStep => ({ how: 'turn', degrees });
const LEFT: OrientationStep = { how: 'mirror', over: 'left' };
const TOP: OrientationStep = { how: 'mirror', over: 'top' };

/** Steps by EXIF's orientation number, 1 to 8. */
const BY_ORIENTATION: readonly (readonly OrientationStep[])[] = [
  [],
  [],
  [LEFT],
  [turn(180)],
  [TOP],
  [LEFT, turn(270)],
  [turn(90)],
  [LEFT, turn(90)],
  [turn(270)],
];

/** @param orientation of EXIF; an unknown number needs no steps */
export const orientationSteps = (orientation: number): readonly OrientationStep[] =>
  BY_ORIENTATION[orientation] ?? [];

/** Applies the steps in order. */
export async function applySteps(pixels: Pixels, steps: readonly OrientationStep[]): Promise<Pixels> {
  let now = pixels;
  for (const step of steps) now = await pixelsOf(applyStep(now, step));
  return now;
}

function applyStep(pixels: Pixels, step: OrientationStep): Sharp {
  const picture = opened(pixels);
  switch (step.how) {
    case 'turn':
      return picture.rotate(step.degrees);
    case 'mirror':
      return step.over === 'top' ? picture.flip() : picture.flop();
    case 'crop':
      return picture.extract(scaledCrop(step, pixels));
  }
}

/** Returns the crop, scaled to a picture that may have been reduced since it was measured. */
function scaledCrop({ of, ...kept }: OrientationStep & { how: 'crop' }, { width, height }: Size) {
  const [across, down] = [width / of.width, height / of.height];
  const left = Math.min(width - 1, Math.round(kept.left * across));
  const top = Math.min(height - 1, Math.round(kept.top * down));
  return {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.round(kept.width * across))),
    height: Math.max(1, Math.min(height - top, Math.round(kept.height * down))),
  };
}

/** Returns the pixels with a colour profile. sharp reads profiles only from files, so the simplest kind of file is built. */
export const withColourProfile = (pixels: Pixels, icc: Buffer | null): Sharp =>
  icc === null ? opened(pixels) : sharp(toTiff(pixels, icc));

/** Types of a TIFF's values: numbers of four bytes, and bytes without a meaning to it. */
const LONG = 4;
const ANYTHING = 7;
/** Rows per strip. */
const STRIP = 64;

/** Returns an uncompressed TIFF: the pixels, then its only directory, then the values that don't fit into the directory. */
function toTiff({ data, width, height, channels }: Pixels, icc: Buffer): Buffer {
  const row = width * channels;
  const strips = Array.from({ length: Math.ceil(height / STRIP) }, (_, at) => at * STRIP);
  const hasAlpha = channels % 2 === 0;
  const entries: [tag: number, values: number[] | Buffer][] = [
    [256, [width]],
    [257, [height]],
    [258, Array.from({ length: channels }, () => 8)],
    [259, [1]],
    [262, [channels < 3 ? 1 : 2]],
    [273, strips.map((top) => 8 + top * row)],
    [277, [channels]],
    [278, [STRIP]],
    [279, strips.map((top) => Math.min(STRIP, height - top) * row)],
    ...(hasAlpha ? [[338, [2]] as [number, number[]]] : []),
    [34_675, icc],
  ];
  const start = 8 + data.length + (data.length % 2);
  const head = Buffer.alloc(8);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(start, 4);
  const table = Buffer.alloc(2 + 12 * entries.length + 4);
  table.writeUInt16LE(entries.length, 0);
  const behind: Buffer[] = [];
  let end = start + table.length;
  for (const [place, [tag, values]] of entries.entries()) {
    const isBytes = Buffer.isBuffer(values);
    const bytes = isBytes ? values : longs(values);
    const at = 2 + 12 * place;
    table.writeUInt16LE(tag, at);
    table.writeUInt16LE(isBytes ? ANYTHING : LONG, at + 2);
    table.writeUInt32LE(values.length, at + 4);
    if (bytes.length <= 4) bytes.copy(table, at + 8);
    else {
      table.writeUInt32LE(end, at + 8);
      behind.push(bytes, Buffer.alloc(bytes.length % 2));
      end += bytes.length + (bytes.length % 2);
    }
  }
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2), table, ...behind]);
}

function longs(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [place, value] of values.entries()) bytes.writeUInt32LE(value, 4 * place);
  return bytes;
}
