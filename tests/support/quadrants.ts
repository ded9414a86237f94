import sharp from 'sharp';
import type { Rgb } from './heic.ts';

/** Pictures of four coloured quarters: whoever looks at one sees at once whether it is upright. */
const COLOURS: Record<string, readonly [number, number, number]> = {
  red: [200, 60, 60],
  green: [60, 160, 80],
  blue: [60, 80, 190],
  white: [240, 240, 240],
};
/** Top left, top right, bottom left, bottom right. */
export const UPRIGHT = ['red', 'green', 'blue', 'white'];
const [TL, TR, BL, BR] = ['red', 'green', 'blue', 'white'] as const;

/**
 * The quarters as they lie in a file whose EXIF has this number: it names the sides of the upright picture at which the first row and the first
 * column lie.
 */
export const LYING: Record<number, string[]> = {
  1: [TL, TR, BL, BR],
  2: [TR, TL, BR, BL],
  3: [BR, BL, TR, TL],
  4: [BL, BR, TL, TR],
  5: [TL, BL, TR, BR],
  6: [TR, BR, TL, BL],
  7: [BR, TR, BL, TL],
  8: [BL, TL, BR, TR],
};

export function quadrants(names: readonly string[] = UPRIGHT, width = 128, height = 64): Rgb {
  const data = Buffer.alloc(3 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const name = names[2 * Number(y >= height / 2) + Number(x >= width / 2)] ?? '';
      data.set(COLOURS[name] ?? [], 3 * (y * width + x));
    }
  return { data, width, height };
}

/** The upright picture as it lies in a file with this number of EXIF's. */
export const lying = (orientation: number) =>
  orientation < 5 ? quadrants(LYING[orientation]) : quadrants(LYING[orientation], 64, 128);

export const drawn = ({ data, width, height }: Rgb) => sharp(data, { raw: { width, height, channels: 3 } });

/** A part of a picture. */
export function part(from: Rgb, left: number, top: number, width: number, height: number): Promise<Rgb> {
  const taken = drawn(from).extract({ left, top, width, height });
  return taken
    .raw()
    .toBuffer()
    .then((data) => ({ data, width, height }));
}

/** The colours of the four quarters of a picture, by their names; the numbers of one that is like none of them. */
export async function look(path: string): Promise<string[]> {
  const seen = await middles(path);
  return seen.map((pixel) => {
    const found = Object.entries(COLOURS).find(([, colour]) =>
      colour.every((value, channel) => Math.abs(value - (pixel[channel] ?? 0)) < 45),
    );
    return found?.[0] ?? pixel.join(' ');
  });
}

/** The pixels in the middles of the four quarters, as numbers and not by a profile. */
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
