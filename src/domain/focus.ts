/** A point of a picture, as shares (0 to 1) of its width from the left and of its height from the top. */
export type Fuoco = { x: number; y: number };

/** Where nobody chose one. */
export const MIDDLE: Fuoco = { x: 0.5, y: 0.5 };

/**
 * CSS's position of a picture that covers a box so that this point of it is always in view: the point lies as far across the box as it lies across the picture.
 */
export function positionOf(fuoco: Fuoco | null): string {
  const { x, y } = fuoco ?? MIDDLE;
  return `${percent(x)} ${percent(y)}`;
}

/** Lower than this a point lies under words at the bottom of a screen. */
const LOW = 0.66;

/** Where words leave the point free that must stay in view. */
export const wordsFree = (fuoco: Fuoco | null): 'top' | 'bottom' =>
  (fuoco ?? MIDDLE).y > LOW ? 'top' : 'bottom';

/** The side of a wide screen on which words leave it free. */
export const sideFree = (fuoco: Fuoco | null): 'left' | 'right' =>
  (fuoco ?? MIDDLE).x < 0.5 ? 'right' : 'left';

const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`;

type Size = { width: number; height: number };

/** The part of a picture that is seen where it covers a box, in shares (0 to 1) of the picture. */
export function seenPart(
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
