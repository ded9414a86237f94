import { PICTURE } from '../../domain/limits.ts';
import { PICTURE_WIDTHS, sizedAddress } from '../../domain/pictures.ts';

/** Width of a square picture that covers the screen. Portrait pictures need slightly less, landscape ones slightly more. */
const SIZES = 'max(100vw, 100vh)';

/**
 * Returns the `sizes` and `srcSet` of a picture that covers the screen. Prefetching must use the same values,
 * otherwise the browser loads a second size. The longest side counts as the width of the full picture.
 */
export function coverAttributes(url: string): { sizes: string; srcSet: string } {
  const widths = [...PICTURE_WIDTHS, PICTURE.side];
  return { sizes: SIZES, srcSet: widths.map((width) => `${sizedAddress(url, width)} ${width}w`).join(', ') };
}

/** Returns the URL of the smallest size of a picture, for lists. */
export const thumbnailOf = (url: string): string => sizedAddress(url, PICTURE_WIDTHS[0]);
