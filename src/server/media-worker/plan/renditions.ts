import type { Size } from './size.ts';

export type RenditionFormat = 'avif' | 'webp' | 'jpg' | 'png';
type Rendition = Size & { format: RenditionFormat };

/** What phones' screens are wide, in their own pixels, and how a picture is wide that fills one or lies across it. */
const WIDTHS = [720, 1_080, 1_620] as const;
/** A width that saves less than this share of the next one isn't worth a file. */
const WORTH = 0.15;

/**
 * The sizes and formats that a made picture is to be had in: the narrower ones, and its own. In the format that it has, which every browser knows,
 * it is there in its own size already.
 */
export function renditionsOf({ width, height }: Size, own: 'jpg' | 'png'): Rendition[] {
  const narrower = WIDTHS.filter((each) => each <= (1 - WORTH) * width);
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
  const order: RenditionFormat[] = ['avif', 'webp', 'jpg', 'png'];
  return made.filter(
    (one) =>
      one.bytes < bytes &&
      made.every(
        (other) =>
          other.width !== one.width ||
          order.indexOf(other.format) <= order.indexOf(one.format) ||
          one.bytes < other.bytes,
      ),
  );
}
