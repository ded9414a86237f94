import type { Size } from './size.ts';

/** JPEG quality on FFmpeg's scale, from 2 (best) to 31. */
export const POSTER_QUALITY = 3;
/** Longest side in pixels. */
const SIDE = 1_280;

function posterSize({ width, height }: Size): Size {
  const share = Math.min(1, SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}

/**
 * Returns filters that choose the most typical of several pictures, not a black one or a flash. JPEG uses BT.601 in full range.
 * @param size of the pictures from `pictureFilters`
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
