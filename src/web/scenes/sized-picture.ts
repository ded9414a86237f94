import { PICTURE } from '../../domain/limits.ts';
import { PICTURE_WIDTHS, sizedAddress } from '../../domain/renditions.ts';

/** A picture that covers the screen, taken as a square: what stands upright needs a little less, what lies a little more. */
const SIZES = 'max(100vw, 100vh)';

/** What an `<img>` that covers the screen is told of its picture. Whoever fetches it beforehand tells the same, or another size comes. */
export function coveringPicture(url: string): { sizes: string; srcSet: string } {
  const widths = [...PICTURE_WIDTHS, PICTURE.side];
  return { sizes: SIZES, srcSet: widths.map((width) => `${sizedAddress(url, width)} ${width}w`).join(', ') };
}

/** The address of a small picture of it, for a list. */
export const thumbnailOf = (url: string): string => sizedAddress(url, PICTURE_WIDTHS[0]);
