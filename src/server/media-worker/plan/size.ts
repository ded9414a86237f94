export type Size = { width: number; height: number };

/** Limits of H.264 level 4.2: macroblocks (16 × 16) per picture and per second. */
const LEVEL_4_2 = { blocks: 8_704, blocksASecond: 522_240 } as const;
/** Box that larger films are scaled into, in pixels. */
const BOX = { long: 1_920, short: 1_080 } as const;
/** Maximum shorter side of a light film, in pixels. */
const LIGHT_SHORT = 540;
/** Maximum pictures per second of converted films. */
export const MAX_FRAMES = 60;
/** Maximum pictures per second of light films. */
export const LIGHT_FRAMES = 30;

const blocksOf = ({ width, height }: Size) => Math.ceil(width / 16) * Math.ceil(height / 16);
const even = (side: number) => Math.max(2, 2 * Math.floor(side / 2 + 0.01));

/** Returns true if a level 4.2 decoder handles pictures of this size at this rate. */
export function fitsLevel(size: Size, framesASecond: number): boolean {
  const blocks = blocksOf(size);
  const side = 16 * Math.sqrt(8 * LEVEL_4_2.blocks);
  return (
    blocks <= LEVEL_4_2.blocks &&
    blocks * framesASecond <= LEVEL_4_2.blocksASecond &&
    Math.max(size.width, size.height) <= side
  );
}

/** Returns the size in square pixels, even and within level 4.2; never enlarged. */
export function fitted({ width, height }: Size, pixelAspect: number): Size {
  const wide = pixelAspect >= 1 ? width * pixelAspect : width;
  const high = pixelAspect >= 1 ? height : height / pixelAspect;
  const as = (share: number) => ({ width: even(wide * share), height: even(high * share) });
  if (fitsLevel(as(1), MAX_FRAMES)) return as(1);
  const [long, short] = [Math.max(wide, high), Math.min(wide, high)];
  return as(Math.min(1, BOX.long / long, BOX.short / short));
}

/** Returns the size of the light version of a `fitted` film; never enlarged. */
export function lightened({ width, height }: Size): Size {
  const share = Math.min(1, LIGHT_SHORT / Math.min(width, height));
  return { width: even(width * share), height: even(height * share) };
}
