import { FileRejected } from '../refusal.ts';
import { sizeProblem } from './bounds.ts';
import { isHarmlessWarning } from './complaints.ts';
import { sharp } from './library.ts';
import { readPictureInfo } from './measure.ts';
import { type Pixels, pixelsOf } from './pixels.ts';
import { reduced } from './reduced.ts';

/** A picture, and whether its file is a PNG. */
type PlainPicture = { pixels: Pixels; isPng: boolean };

/**
 * Reads the first picture of a JPEG, PNG, GIF, WebP or TIFF, upright and in sRGB. Rejects a damaged one, and one with too many pixels
 * before decoding it.
 */
export async function readPlain(path: string, side: number): Promise<PlainPicture> {
  const metadata = await sharp(path, { limitInputPixels: false }).metadata();
  const problem = sizeProblem(readPictureInfo(metadata));
  if (problem !== null) throw new FileRejected(problem);
  const read = (failOn: 'warning' | 'error') =>
    pixelsOf(reduced(sharp(path, { limitInputPixels: false, failOn }).autoOrient(), side));
  const pixels = await (metadata.format === 'jpeg' ? readStrictly(read) : read('error'));
  return { pixels, isPng: metadata.format === 'png' };
}

/** Rejects a JPEG on warnings, since half of it may be missing, except on harmless ones. */
function readStrictly(read: (failOn: 'warning' | 'error') => Promise<Pixels>): Promise<Pixels> {
  return read('warning').catch((error: unknown) => {
    if (!isHarmlessWarning(error)) throw error;
    return read('error');
  });
}
