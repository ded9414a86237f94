import type { Fuoco } from '../contract/model.ts';

export type { Fuoco } from '../contract/model.ts';

/** Point used if none was chosen. */
export const MIDDLE: Fuoco = { x: 0.5, y: 0.5 };

/**
 * Returns the CSS position of a picture that covers a box so that this point is always visible: the point has the same relative position in
 * the box as in the picture.
 */
export function toCssPosition(fuoco: Fuoco | null): string {
  const { x, y } = fuoco ?? MIDDLE;
  return `${percent(x)} ${percent(y)}`;
}

/** Share of the height below which a point is covered by text at the bottom of a screen. */
const LOW = 0.66;

/** Returns where text leaves the chosen point visible. */
export const textPosition = (fuoco: Fuoco | null): 'top' | 'bottom' =>
  (fuoco ?? MIDDLE).y > LOW ? 'top' : 'bottom';

/** Returns the side of a wide screen on which text leaves the point visible. */
export const textSide = (fuoco: Fuoco | null): 'left' | 'right' =>
  (fuoco ?? MIDDLE).x < 0.5 ? 'right' : 'left';

const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`;

type Size = { width: number; height: number };

/** Returns the visible part of a picture that covers a box, in shares (0 to 1) of the picture. */
export function visiblePart(
  picture: Size,
  box: Size,
  fuoco: Fuoco | null,
): Size & { left: number; top: number } {
  const { x, y } = fuoco ?? MIDDLE;
  const scale = Math.max(box.width / picture.width, box.height / picture.height);
  const width = Math.min(1, box.width / (picture.width * scale));
  const height = Math.min(1, box.height / (picture.height * scale));
  return { left: x * (1 - width), top: y * (1 - height), width, height };
}

/** Widths in pixels of pictures that fill a phone's screen, or that span it in landscape. */
export const PICTURE_WIDTHS = [720, 1_080, 1_620] as const;

/** Smallest files first; every browser reads the last two. */
export const PICTURE_FORMATS = ['avif', 'webp', 'jpg', 'png'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** Width of one: one of the widths, or the picture's own. */
type Wide = `w${(typeof PICTURE_WIDTHS)[number]}` | 'full';

/** Name of a size and format that is stored as a companion of a picture. */
export type RenditionName = `${Wide}.${PictureFormat}`;

const WIDES = [...PICTURE_WIDTHS.map((width) => `w${width}` as const), 'full'] as const;

/** All possible names, narrowest first; smallest files first within one width. */
export const RENDITION_NAMES: readonly RenditionName[] = WIDES.flatMap((wide) =>
  PICTURE_FORMATS.map((format): RenditionName => `${wide}.${format}`),
);

/**
 * Returns the name of a picture's size.
 * @param pictureWidth width of the picture; both in pixels
 */
export function renditionName(
  { width, format }: { width: number; format: PictureFormat },
  pictureWidth: number,
): RenditionName {
  const narrower = PICTURE_WIDTHS.find((each) => each === width && each < pictureWidth);
  const wide: Wide = narrower === undefined ? 'full' : `w${narrower}`;
  return `${wide}.${format}`;
}

/**
 * Returns the best stored size: the narrowest that is wide enough, in the smallest format the browser reads.
 * Returns null if the picture itself is best. @param requestedWidth width to fill, in pixels
 */
export function bestRendition(
  available: Iterable<RenditionName>,
  requestedWidth: number,
  reads: (format: PictureFormat) => boolean,
): RenditionName | null {
  const stored = new Set(available);
  const enough = RENDITION_NAMES.filter((name) => stored.has(name) && widthOf(name) >= requestedWidth);
  return enough.find((name) => reads(formatOf(name))) ?? null;
}

const widthOf = (name: RenditionName) => (name.startsWith('full') ? Infinity : Number(/\d+/.exec(name)?.[0]));

/** Returns the format of a stored size. */
export const formatOf = (name: RenditionName): PictureFormat =>
  PICTURE_FORMATS.find((format) => name.endsWith(`.${format}`)) ?? 'png';

/**
 * Returns a picture's address with the width it fills in pixels. The server selects the file, by the stored sizes and the browser's
 * formats.
 * Any address but a stored file's is returned unchanged.
 */
export function sizedAddress(url: string, width: number): string {
  return url.startsWith('/api/media/') ? `${url}?w=${width}` : url;
}
