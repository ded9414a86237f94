import type { Progress } from '../progress.ts';
import { opened, pixelsOf } from './pixels.ts';
import { readPlain } from './plain.ts';
import { rejectUnreadable } from './refused.ts';

/** Hues are looked for in a picture of so many pixels a side. */
const SIDE = 64;
/** The circle of hues in so many parts. */
const PARTS = 24;
/** Two hues lie at least so many parts apart; below this share of the first one's colour the second is chance. */
const APART = 3;
const WORTH = 0.15;
/** A pixel with less colour (0 to 1) than this counts as grey; below this mean of all of them the picture has no colour. */
const GREY = 0.08;
const COLOURLESS = 0.012;

/** Pixels of one part of the circle: their colours' sum, by how colourful they are. */
type HueBucket = { weight: number; red: number; green: number; blue: number };

/**
 * The two hues a picture has most of, as colours of its own (`#rrggbb`), the larger one first; one where it has no second, none where it is grey.
 * Rejects with `FileRejected` where it can't be read.
 * @param path of a picture that was made (`makePicture`)
 */
export async function drawHues(path: string, progress: Progress): Promise<string[]> {
  const { pixels } = await rejectUnreadable(readPlain(path, SIDE));
  progress.add(1);
  const { data, width, height } = await pixelsOf(
    opened(pixels).flatten({ background: '#000' }).toColourspace('srgb'),
  );
  return huesOf(data, { width, height });
}

/** The same of pixels: three bytes each, line by line. */
export function huesOf(rgb: Uint8Array, { width, height }: { width: number; height: number }): string[] {
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
  // A hue on the border of two parts is one hue.
  const wide = parts.map((part, at) => sum([part, parts[(at + 1) % PARTS], parts.at(at - 1)]));
  const [first, second] = mostOf(wide);
  if (first === undefined || sum(parts).weight < COLOURLESS * width * height) return [];
  const found = second === undefined ? [first] : [first, second];
  return found.map(colourOf);
}

/** The heaviest of them, and the heaviest that is far enough from it and worth it. */
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

/** Where a colour lies on the circle of hues, from 0 to 1. */
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
