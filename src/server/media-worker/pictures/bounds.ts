import type { FileProblem } from '../door.ts';

/** Largest picture that is opened, in pixels: 200 megapixels of a phone. */
const MAX_PICTURE_PIXELS = 210_000_000;
/**
 * Bytes of a picture that may be in memory while it is read. Formats that are read line by line or reduced while reading need almost none.
 */
const MAX_HELD_BYTES = 600_000_000;

/** Properties of a picture before it is read. */
export type PictureInfo = {
  format: string;
  width: number;
  height: number;
  channels: number;
  /** Bytes per sample. */
  bytes: number;
  /** True for progressive and interlaced pictures, whose passes cover the whole picture. */
  inRounds: boolean;
  /** Chroma subsampling of a JPEG: `4:2:0` has one colour for four pixels. */
  colours: string;
};

/** Returns the problem of a picture beyond the limits, or null. */
export function sizeProblem(measure: PictureInfo): FileProblem | null {
  const pixels = measure.width * measure.height;
  return pixels > MAX_PICTURE_PIXELS || pixels * heldBytes(measure) > MAX_HELD_BYTES ? 'too_large' : null;
}

/** Returns the measured bytes per pixel that stay in memory until the last pixel is read. */
function heldBytes({ format, channels, bytes, inRounds, colours }: PictureInfo): number {
  const samples = channels * bytes;
  switch (format) {
    case 'jpeg':
      return inRounds ? 2.7 * (colours.startsWith('4:2:0') ? channels / 2 : channels) : 0;
    case 'png':
      return inRounds ? 2 * samples : 0;
    case 'tiff':
      return samples;
    case 'heic':
      return 0;
    case 'avif':
      return 20;
    default:
      return 8;
  }
}

/** Largest part of a HEIC that is decoded at once, in pixels: a grid's tile or the whole picture. */
export const MAX_TILE_PIXELS = 36_000_000;
/** Maximum pixels of a HEIC in memory; a larger one is reduced while its tiles are read. */
export const MAX_HELD_PIXELS = 50_000_000;
