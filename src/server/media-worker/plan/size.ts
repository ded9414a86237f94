export type Size = { width: number; height: number };

/** The most that H.264's level 4.2 allows: macroblocks (16 × 16) in a picture, and in a second. */
const LEVEL_4_2 = { blocks: 8_704, blocksASecond: 522_240 } as const;
/** What a film is made to fit into when it is larger, the longer side first. */
const BOX = { long: 1_920, short: 1_080 } as const;
/** The shorter side of a light film, at most. */
const LIGHT_SHORT = 540;
/** Made films have no more pictures a second. */
export const MOST_FRAMES = 60;
/** The same of light ones. */
export const LIGHT_FRAMES = 30;

const blocksOf = ({ width, height }: Size) => Math.ceil(width / 16) * Math.ceil(height / 16);
const even = (side: number) => Math.max(2, 2 * Math.floor(side / 2 + 0.01));

/** Would a decoder of level 4.2 take pictures of this size so many times a second? */
export function fitsLevel(size: Size, framesASecond: number): boolean {
  const blocks = blocksOf(size);
  const side = 16 * Math.sqrt(8 * LEVEL_4_2.blocks);
  return (
    blocks <= LEVEL_4_2.blocks &&
    blocks * framesASecond <= LEVEL_4_2.blocksASecond &&
    Math.max(size.width, size.height) <= side
  );
}

/** The size in square pixels, even, and small enough for level 4.2; never larger than it came. */
export function fitted({ width, height }: Size, pixelAspect: number): Size {
  const wide = pixelAspect >= 1 ? width * pixelAspect : width;
  const high = pixelAspect >= 1 ? height : height / pixelAspect;
  const as = (share: number) => ({ width: even(wide * share), height: even(high * share) });
  if (fitsLevel(as(1), MOST_FRAMES)) return as(1);
  const [long, short] = [Math.max(wide, high), Math.min(wide, high)];
  return as(Math.min(1, BOX.long / long, BOX.short / short));
}

/** The size of a light film, of one that is `fitted`; never larger than it came. */
export function lightened({ width, height }: Size): Size {
  const share = Math.min(1, LIGHT_SHORT / Math.min(width, height));
  return { width: even(width * share), height: even(height * share) };
}
