import type { FileProblem } from '../door.ts';

/** The largest picture that is opened at all (pixels): a phone's 200 megapixels. */
const MOST_PIXELS = 210_000_000;
/** What of one may lie in memory while it is read (bytes). What is read line by line, or made small while it is read, needs next to nothing. */
const MOST_HELD = 600_000_000;

/** What is known of a picture before it is read. */
export type PictureInfo = {
  format: string;
  width: number;
  height: number;
  channels: number;
  /** Of one sample. */
  bytes: number;
  /** Does it come in rounds, of which each is the whole picture (progressive, interlaced)? */
  inRounds: boolean;
  /** A JPEG's colours: `4:2:0` has one for four pixels. */
  colours: string;
};

/** Why a picture is too much, or null. */
export function sizeProblem(measure: PictureInfo): FileProblem | null {
  const pixels = measure.width * measure.height;
  return pixels > MOST_PIXELS || pixels * heldBytes(measure) > MOST_HELD ? 'too_large' : null;
}

/** Bytes for each pixel that lie in memory until the last one is read, as they were measured. */
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

/** The largest part of a HEIC that is decoded at once (pixels): the HEVC of a grid's tile, or of the whole. */
export const MOST_TILE_PIXELS = 36_000_000;
/** How many pixels of a HEIC are kept: a larger one is made smaller while its tiles are read. */
export const MOST_KEPT_PIXELS = 50_000_000;
