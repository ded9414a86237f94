import { PICTURE } from '../../domain/limits.ts';
import { PICTURE_WIDTHS, sizedAddress } from '../../domain/renditions.ts';

/** Size of a picture that covers the screen, assumed square; portrait pictures need slightly less, landscape ones slightly more. */
const SIZES = 'max(100vw, 100vh)';

/** Returns the `sizes` and `srcSet` of a picture that covers the screen. Prefetching must use the same values, or another size loads. */
export function coveringPicture(url: string): { sizes: string; srcSet: string } {
  const widths = [...PICTURE_WIDTHS, PICTURE.side];
  return { sizes: SIZES, srcSet: widths.map((width) => `${sizedAddress(url, width)} ${width}w`).join(', ') };
}

/** Returns the URL of a small version, for lists. */
export const thumbnailOf = (url: string): string => sizedAddress(url, PICTURE_WIDTHS[0]);
