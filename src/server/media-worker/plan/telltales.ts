import type { Times } from './times.ts';

/** Major brands of pictures in the container of films: HEIC and AVIF. */
const PICTURE_BRANDS = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'mif1',
  'msf1',
  'avif',
  'avis',
]);
export const isPictureFile = (brand: string | null) => PICTURE_BRANDS.has(brand ?? '');

/** Sample descriptions of DRM-protected content. */
const PROTECTED_TAGS = new Set(['encv', 'enca', 'drms', 'drmi', 'drmt', 'p608']);
export const isProtectedTag = (tag: string | null) => PROTECTED_TAGS.has(tag ?? '');

type Ratio = { num: number; den: number };

/** Returns a pixel's width divided by its height: the container's value before the bitstream's, 1 if neither is plausible. */
export function pixelAspectOf(container: Ratio, bitstream: Ratio): number {
  const ratio = [container, bitstream].find(({ num, den }) => num > 0 && den > 0);
  const aspect = ratio === undefined ? 1 : ratio.num / ratio.den;
  return aspect >= 0.1 && aspect <= 10 ? aspect : 1;
}

/**
 * Returns true if the file ends before its index: both samples and time are missing. A file that only claims to be longer has all its
 * samples; time cut by an edit list isn't counted.
 */
export function isCutShort(
  { indexed, claimed }: { indexed: number; claimed: number },
  times: Times | null,
): boolean {
  const packets = times?.packets ?? 0;
  const real = times === null ? 0 : times.end - Math.min(0, times.start);
  return indexed - packets > Math.max(2, 0.01 * indexed) && claimed - real > Math.max(0.5, 0.02 * claimed);
}
