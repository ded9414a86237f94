import type { Times } from './times.ts';

/** Pictures that come in the container of films: HEIC and AVIF, by the kind they say they are. */
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

/** Sample descriptions of what only its seller's programs can decode. */
const PROTECTED_TAGS = new Set(['encv', 'enca', 'drms', 'drmi', 'drmt', 'p608']);
export const isProtectedTag = (tag: string | null) => PROTECTED_TAGS.has(tag ?? '');

type Ratio = { num: number; den: number };

/** How much wider than high a pixel is: the container's word before the bitstream's, and 1 where neither makes sense. */
export function pixelAspectOf(container: Ratio, bitstream: Ratio): number {
  const ratio = [container, bitstream].find(({ num, den }) => num > 0 && den > 0);
  const aspect = ratio === undefined ? 1 : ratio.num / ratio.den;
  return aspect >= 0.1 && aspect <= 10 ? aspect : 1;
}

/**
 * Does the file end before its own index does? Samples are missing that the index has, and time with them: what merely says that it is long
 * has all of its samples, and what an edit cuts away was never part of the time.
 */
export function isCutShort(
  { indexed, claimed }: { indexed: number; claimed: number },
  times: Times | null,
): boolean {
  const packets = times?.packets ?? 0;
  const real = times === null ? 0 : times.end - Math.min(0, times.start);
  return indexed - packets > Math.max(2, 0.01 * indexed) && claimed - real > Math.max(0.5, 0.02 * claimed);
}
