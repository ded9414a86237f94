import { FileRejected } from '../refusal.ts';
import { sizeProblem } from './bounds.ts';
import { isHarmlessWarning } from './complaints.ts';
import { sharp } from './library.ts';
import { readPictureInfo } from './measure.ts';
import { type Pixels, pixelsOf } from './pixels.ts';
import { reduced } from './reduced.ts';

/** A picture, and whether it lies in its file as a PNG. */
type PlainPicture = { pixels: Pixels; isPng: boolean };

/**
 * Reads a JPEG, PNG, GIF, WebP or TIFF: its first picture, upright, in sRGB. A damaged one is refused, one with too many pixels isn't even opened.
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

/** What a JPEG's reader only warns of may be half a picture; others warn of a date that ends in the wrong way. */
function readStrictly(read: (failOn: 'warning' | 'error') => Promise<Pixels>): Promise<Pixels> {
  return read('warning').catch((error: unknown) => {
    if (!isHarmlessWarning(error)) throw error;
    return read('error');
  });
}
