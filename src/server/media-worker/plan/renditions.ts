import { PICTURE_FORMATS, PICTURE_WIDTHS, type PictureFormat } from '../../../domain/pictures.ts';
import type { Size } from './size.ts';

type Rendition = Size & { format: PictureFormat };

/** Smallest share of the next width that a narrower file must save. */
const WORTH = 0.15;

/**
 * Returns the sizes and formats of a picture to write: narrower widths and its own. Its own format, which every browser reads, already
 * exists in its own size.
 */
export function renditionsOf({ width, height }: Size, own: 'jpg' | 'png'): Rendition[] {
  const narrower = PICTURE_WIDTHS.filter((each) => each <= (1 - WORTH) * width);
  const sized = (wide: number): Size => ({
    width: wide,
    height: Math.max(1, Math.round((height * wide) / width)),
  });
  return [...narrower.map(sized), { width, height }].flatMap((size) =>
    (['avif', 'webp', own] as const)
      .filter((format) => format !== own || size.width < width)
      .map((format) => ({ ...size, format })),
  );
}

/**
 * Returns the files worth storing: smaller than the source picture, and than the same size in a more widely supported format.
 * @param bytes of the source picture
 */
export function lighter<T extends Rendition & { bytes: number }>(made: readonly T[], bytes: number): T[] {
  return made.filter(
    (one) =>
      one.bytes < bytes &&
      made.every(
        (other) =>
          other.width !== one.width ||
          PICTURE_FORMATS.indexOf(other.format) <= PICTURE_FORMATS.indexOf(one.format) ||
          one.bytes < other.bytes,
      ),
  );
}
