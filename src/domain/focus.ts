/** A point of a picture, as shares (0 to 1) of its width from the left and of its height from the top. */
export type Fuoco = { x: number; y: number };

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
