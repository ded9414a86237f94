import type { Sharp } from 'sharp';
import { sharp } from './library.ts';
import type { OrientationStep } from './turns.ts';

/** A picture in memory, line by line: 1 to 4 bytes for each pixel (grey, grey and alpha, RGB, RGB and alpha). */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

export const opened = ({ data, ...raw }: Pixels): Sharp => sharp(data, { raw });

/** What a picture of sharp's is in the end, in eight bits. */
export async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels > 4 || channels < 1) throw new Error('A picture has one to four channels.');
  return { data, width, height, channels };
}

/** Takes the steps one after the other. */
export async function turned(pixels: Pixels, steps: readonly OrientationStep[]): Promise<Pixels> {
  let now = pixels;
  for (const step of steps) now = await pixelsOf(taken(now, step));
  return now;
}

function taken(pixels: Pixels, step: OrientationStep): Sharp {
  const picture = opened(pixels);
  switch (step.how) {
    case 'turn':
      return picture.rotate(step.degrees);
    case 'mirror':
      return step.over === 'top' ? picture.flip() : picture.flop();
    case 'crop':
      return picture.extract(cropOf(step, pixels));
  }
}

/** What is kept of a picture that may have become smaller since the crop was measured. */
function cropOf({ of, ...kept }: Extract<OrientationStep, { how: 'crop' }>, { width, height }: Pixels) {
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

/** Is there a pixel that lets through what is behind it? */
export function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 1 || channels === 3) return false;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 0xff) return true;
  return false;
}
