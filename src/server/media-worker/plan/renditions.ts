import { PICTURE_FORMATS, PICTURE_WIDTHS, type PictureFormat } from '../../../domain/renditions.ts';
import type { Size } from './size.ts';

type Rendition = Size & { format: PictureFormat };

/** A width that saves less than this share of the next one isn't worth a file. */
const WORTH = 0.15;

/**
 * The sizes and formats that a made picture is to be had in: the narrower ones, and its own. In the format that it has, which every browser knows,
 * it is there in its own size already.
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
 * Those that are worth being kept: each lighter than the picture they are made of, and than the same size in a format that more browsers know.
 * @param bytes of the picture they are made of
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
