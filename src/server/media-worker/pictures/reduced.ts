import type { Sharp } from 'sharp';

const TIMEOUT_SECONDS = 60;

/** Reduces a picture to `side` at most, in sRGB. */
export function reduced(picture: Sharp, side: number): Sharp {
  return picture
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: TIMEOUT_SECONDS });
}
