/** What phones' screens are wide, in their own pixels, and how a picture is wide that fills one or lies across it. */
export const PICTURE_WIDTHS = [720, 1_080, 1_620] as const;

/** Lightest first; those after the first two are known to every browser. */
export const PICTURE_FORMATS = ['avif', 'webp', 'jpg', 'png'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** How wide one is: one of the widths, or as wide as the picture itself. */
type Wide = `w${(typeof PICTURE_WIDTHS)[number]}` | 'full';

/** One of the sizes and formats that a picture is kept in, beside itself. */
export type RenditionName = `${Wide}.${PictureFormat}`;

const WIDES = [...PICTURE_WIDTHS.map((width) => `w${width}` as const), 'full'] as const;

/** All that a picture may have, narrowest first, and of one width lightest first. */
export const RENDITION_NAMES: readonly RenditionName[] = WIDES.flatMap((wide) =>
  PICTURE_FORMATS.map((format): RenditionName => `${wide}.${format}`),
);

/**
 * What one of a picture's is called.
 * @param own the picture's width; both in pixels
 */
export function renditionName(
  { width, format }: { width: number; format: PictureFormat },
  own: number,
): RenditionName {
  const narrower = PICTURE_WIDTHS.find((each) => each === width && each < own);
  const wide: Wide = narrower === undefined ? 'full' : `w${narrower}`;
  return `${wide}.${format}`;
}

/**
 * The one of those there are that answers best: the narrowest that is wide enough, as light as the browser reads it. Null where the picture itself does.
 * @param wanted so many pixels are to be filled from side to side
 */
export function bestRendition(
  there: Iterable<RenditionName>,
  wanted: number,
  reads: (format: PictureFormat) => boolean,
): RenditionName | null {
  const had = new Set(there);
  const enough = RENDITION_NAMES.filter((name) => had.has(name) && widthOf(name) >= wanted);
  return enough.find((name) => reads(formatOf(name))) ?? null;
}

const widthOf = (name: RenditionName) => (name.startsWith('full') ? Infinity : Number(/\d+/.exec(name)?.[0]));

/** What one of them is written in. */
export const formatOf = (name: RenditionName): PictureFormat =>
  PICTURE_FORMATS.find((format) => name.endsWith(`.${format}`)) ?? 'png';

/**
 * The address of a picture that is to fill so many pixels from side to side. Which file that is the server decides, by what it has and what the browser reads.
 * Anything but a stored file's address stays as it is.
 */
export function sizedAddress(url: string, width: number): string {
  return url.startsWith('/api/media/') ? `${url}?w=${width}` : url;
}
