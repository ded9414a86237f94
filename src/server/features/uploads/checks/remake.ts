import type Library from 'sharp';
import type { Sharp } from 'sharp';
import type { FileRefusal } from '../../../../contract/admin/media.ts';
import { PICTURE } from '../../../../domain/limits.ts';
import type { Refused } from '../../../refused.ts';

export type Making = {
  /** The longest side that is kept, in pixels. */
  side: number;
  /** Of a JPEG, 1 to 100. */
  quality: number;
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
  { side, quality, lossless }: Making,
): Promise<Made | Refused<FileRefusal>> {
  const sharp = await pictureLibrary();
  try {
    const { width, height, format } = await sharp(path, { limitInputPixels: false }).metadata();
    if (width * height > PICTURE.maxPixels) return { refused: 'FILE_IMAGE_TOO_BIG' };
    const picture = sharp(path, { limitInputPixels: PICTURE.maxPixels, failOn: 'error' });
    const stays = format === 'png' && (lossless === 'always' || !(await picture.stats()).isOpaque);
    const upright = picture
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .timeout({ seconds: PATIENCE_SECONDS });
    await write(upright, made, stays, quality);
    return stays
      ? { extension: 'png', content_type: 'image/png' }
      : { extension: 'jpg', content_type: 'image/jpeg' };
  } catch (error) {
    if (isOfTheDisk(error)) throw error;
    return { refused: isCutShort(error) ? 'FILE_TRUNCATED' : 'FILE_BROKEN' };
  }
}

function write(picture: Sharp, made: string, png: boolean, quality: number): Promise<unknown> {
  if (png) return picture.png({ compressionLevel: 9 }).toFile(made);
  return picture
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, mozjpeg: true, chromaSubsampling: '4:4:4' })
    .toFile(made);
}

let ready: Promise<typeof Library> | undefined;

/** The library, when the first picture comes: it reads JPEG and PNG here and nothing else, and keeps nothing in memory. */
function pictureLibrary(): Promise<typeof Library> {
  ready ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });
    return sharp;
  });
  return ready;
}

const CUT_SHORT = /premature|truncated|unexpected end|end of (file|stream)|read error|libspng read error/i;
const OF_THE_DISK = /unable to (write|open for write)|no space|write error/i;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');
const isCutShort = (error: unknown) => CUT_SHORT.test(messageOf(error));
const isOfTheDisk = (error: unknown) => OF_THE_DISK.test(messageOf(error));
