import { progress } from '../child/task.ts';
import { opened, pixelsOf, type Size } from './pixels.ts';
import { readPlain, rejectUnreadable } from './read.ts';

/** Side of the analysed picture, in pixels. */
const SIDE = 64;
/** Number of parts of the hue circle. */
const PARTS = 24;
/** Minimum distance between two hues, in parts, and minimum weight of the second relative to the first. */
const APART = 3;
const WORTH = 0.15;
/** Least colourfulness (0 to 1) of a pixel that isn't grey, and least mean of a picture that has hues. */
const GREY = 0.08;
const COLOURLESS = 0.012;

/** Pixels of one part of the circle: their colours added, weighted by colourfulness. */
type HueBucket = { weight: number; red: number; green: number; blue: number };

/**
 * Returns the two main hues of a picture (`#rrggbb`), the larger one first; one if there is no second, none if it is grey. Rejects with
 * `FileRejected` if it can't be read.
 * @param path of a stored picture (`makePicture`)
 */
export async function drawHues(path: string): Promise<string[]> {
  const { pixels } = await rejectUnreadable(readPlain(path, SIDE));
  progress.add(1);
  const opaque = opened(pixels).flatten({ background: '#000' }).toColourspace('srgb');
  const { data, ...size } = await pixelsOf(opaque);
  return huesOf(data, size);
}

/** Returns the main hues of pixels: three bytes each, line by line. */
export function huesOf(rgb: Uint8Array, { width, height }: Size): string[] {
  const parts = Array.from({ length: PARTS }, (): HueBucket => ({ weight: 0, red: 0, green: 0, blue: 0 }));
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(pixel * 3, pixel * 3 + 3);
    const weight = (Math.max(red, green, blue) - Math.min(red, green, blue)) / 255;
    const part = parts[Math.floor(turnOf(red, green, blue) * PARTS) % PARTS];
    if (weight < GREY || part === undefined) continue;
    part.weight += weight;
    part.red += weight * red;
    part.green += weight * green;
    part.blue += weight * blue;
  }
  // Adjacent parts are added, so that a hue on a border counts as one.
  const wide = parts.map((part, at) => sum([part, parts[(at + 1) % PARTS], parts.at(at - 1)]));
  return sum(parts).weight < COLOURLESS * width * height ? [] : mostOf(wide).map(colourOf);
}

/** Returns the heaviest part, and the heaviest that is distant and heavy enough. */
function mostOf(parts: readonly HueBucket[]): HueBucket[] {
  const ranked = parts.map((part, at) => ({ part, at })).toSorted((a, b) => b.part.weight - a.part.weight);
  const [first] = ranked;
  if (first === undefined || first.part.weight === 0) return [];
  const away = (at: number) => Math.min(Math.abs(at - first.at), PARTS - Math.abs(at - first.at));
  const second = ranked.find(({ at }) => away(at) >= APART);
  const isWorth = second !== undefined && second.part.weight >= WORTH * first.part.weight;
  return isWorth ? [first.part, second.part] : [first.part];
}

function sum(parts: readonly (HueBucket | undefined)[]): HueBucket {
  const of = (key: keyof HueBucket) => parts.reduce((all, part) => all + (part?.[key] ?? 0), 0);
  return { weight: of('weight'), red: of('red'), green: of('green'), blue: of('blue') };
}

/** Returns the position of a colour on the hue circle, from 0 to 1. */
function turnOf(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread === 0) return 0;
  if (most === red) return ((green - blue) / spread / 6 + 1) % 1;
  return most === green ? (blue - red) / spread / 6 + 1 / 3 : (red - green) / spread / 6 + 2 / 3;
}

function colourOf({ weight, red, green, blue }: HueBucket): string {
  const hex = (all: number) =>
    Math.round(all / weight)
      .toString(16)
      .padStart(2, '0');
  return `#${hex(red)}${hex(green)}${hex(blue)}`;
}
