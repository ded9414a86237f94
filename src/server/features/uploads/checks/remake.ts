import type { Metadata, Sharp } from 'sharp';
import type { FileRefusal } from '../../../../contract/admin/media.ts';
import { PICTURE } from '../../../../domain/limits.ts';
import type { Refused } from '../../../refused.ts';
import { pictureLibrary } from '../../media/picture-library.ts';

export type Making = {
  /** The longest side that is kept, in pixels. */
  side: number;
  /** Of a JPEG: 1 to 100, and whether colours keep every pixel. */
  quality: number;
  colours: '4:2:0' | '4:4:4';
  /** Which PNGs stay PNGs. */
  lossless: 'always' | 'transparent';
};

type Made = { extension: 'jpg' | 'png'; content_type: 'image/jpeg' | 'image/png' };

const PATIENCE_SECONDS = 60;

/**
 * Makes a JPEG or PNG anew from its pixels: upright, in sRGB, no larger than needed, and without anything that is not picture (position,
 * names, other files behind its end). A damaged one is refused, one with too many pixels isn't even opened.
 */
export async function remake(
  path: string,
  made: string,
  { side, lossless, ...jpeg }: Making,
): Promise<Made | Refused<FileRefusal>> {
  const sharp = await pictureLibrary();
  try {
    const { format, ...size } = await sharp(path, { limitInputPixels: false }).metadata();
    if (size.width * size.height > PICTURE.maxPixels || heldBytes({ format, ...size }) > PICTURE.heldBytes)
      return { refused: 'FILE_IMAGE_TOO_BIG' };
    const open = (failOn: 'warning' | 'error') =>
      sharp(path, { limitInputPixels: PICTURE.maxPixels, failOn });
    const stays = format === 'png' && (lossless === 'always' || !(await open('error').stats()).isOpaque);
    const draw = (picture: Sharp) => write(upright(picture, side), made, stays ? null : jpeg);
    await draw(open('warning')).catch((error: unknown) => {
      if (!isOddity(error)) throw error;
      return draw(open('error'));
    });
    return stays
      ? { extension: 'png', content_type: 'image/png' }
      : { extension: 'jpg', content_type: 'image/jpeg' };
  } catch (error) {
    if (isOfTheDisk(error)) throw error;
    return { refused: isCutShort(error) ? 'FILE_TRUNCATED' : 'FILE_BROKEN' };
  }
}

/** Bytes that lie in memory until the last line is read: of a PNG whose lines come in seven rounds all of it. */
function heldBytes({ format, isProgressive, width, height, channels, depth }: Metadata): number {
  if (format !== 'png' || !isProgressive) return 0;
  return width * height * channels * (depth === 'ushort' ? 2 : 1);
}

function upright(picture: Sharp, side: number): Sharp {
  return picture
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: PATIENCE_SECONDS });
}

type Jpeg = Pick<Making, 'quality' | 'colours'>;

/** @param jpeg null for a PNG */
function write(picture: Sharp, made: string, jpeg: Jpeg | null): Promise<unknown> {
  if (jpeg === null) return picture.png({ compressionLevel: 9 }).toFile(made);
  const { quality, colours: chromaSubsampling } = jpeg;
  return picture
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, chromaSubsampling, mozjpeg: true })
    .toFile(made);
}

const CUT_SHORT = /premature|truncated|unexpected end|end of (file|stream)|read error|libspng read error/i;
/** What some cameras write, and everybody reads. */
const ODDITY = /extraneous bytes before marker|invalid sos parameters/i;
const OF_THE_DISK = /unable to (write|open for write)|no space|write error/i;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');
const isCutShort = (error: unknown) => CUT_SHORT.test(messageOf(error));
const isOddity = (error: unknown) => ODDITY.test(messageOf(error)) && !isCutShort(error);
const isOfTheDisk = (error: unknown) => OF_THE_DISK.test(messageOf(error));
