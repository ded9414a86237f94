import type { Sharp } from 'sharp';
import { sharp } from './library.ts';
import type { OrientationStep } from './turns.ts';

/** A picture in memory, row by row: 1 to 4 bytes per pixel (grey, grey and alpha, RGB, RGB and alpha). */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

export const opened = ({ data, ...raw }: Pixels): Sharp => sharp(data, { raw });

/** Returns the result of sharp's steps, with eight bits per channel. */
export async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels > 4 || channels < 1) throw new Error('A picture has one to four channels.');
  return { data, width, height, channels };
}

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
      return picture.extract(cropOf(step, pixels));
  }
}

/** Returns the crop, scaled to a picture that may have been reduced since it was measured. */
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

/** Returns true if any pixel is not fully opaque. */
export function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 1 || channels === 3) return false;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 0xff) return true;
  return false;
}
