import type { Size } from './size.ts';

/** JPEG's, as FFmpeg counts it: from 2, the best, to 31. */
export const POSTER_QUALITY = 3;
/** The longest side, in pixels. */
const SIDE = 1_280;

function posterSize({ width, height }: Size): Size {
  const share = Math.min(1, SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}

/**
 * Of some pictures the one that is most like all of them: neither a black one nor a flash. JPEGs are of BT.601, in the full range.
 * @param size of the pictures that come out of `pictureFilters`
 */
export function posterFilters(pictureFilters: string, size: Size): string {
  const { width, height } = posterSize(size);
  return [
    pictureFilters,
    'thumbnail=n=24',
    `scale=${width}:${height}:in_color_matrix=bt709:out_color_matrix=bt601:in_range=limited:out_range=full`,
    'format=yuvj420p',
  ].join(',');
}
