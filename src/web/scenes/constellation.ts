/**
 * Positions of the closing's hearts after falling, and paths that avoid text. Coordinates are relative to the constellation's middle: -1
 * to 1.
 */

export type Point = { x: number; y: number };
/** Area of a text in these coordinates, including a margin. */
export type TextBox = { left: number; right: number; top: number; bottom: number };

/** Number of pieces in which the outline is measured. */
const PIECES = 400;

/** Returns `count` points at equal distances on the outline of a heart. */
export function constellation(count: number): Point[] {
  const outlinePoints = Array.from({ length: PIECES }, (_, index) => outline(index / PIECES));
  let length = 0;
  const lengths = outlinePoints.map((point, index) => {
    length += index === 0 ? 0 : distance(outlinePoints[index - 1] ?? point, point);
    return length;
  });
  return Array.from({ length: count }, (_, index) => {
    const at = lengths.findIndex((walked) => walked >= (length * index) / count);
    return outlinePoints[at] ?? outline(0);
  });
}

function distance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/**
 * Returns a point of a parametric heart curve, scaled into the square.
 * @param turn position on the curve, from 0 to 1
 */
function outline(turn: number): Point {
  const t = turn * 2 * Math.PI;
  const [x, y] = [
    16 * Math.sin(t) ** 3,
    13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t),
  ];
  return { x: x / 16, y: -(y + 2.5) / 14.5 };
}

/** Returns true if a heart at this point would be covered by text; such hearts appear after the text has left. */
export const isBehindText = ({ x, y }: Point, { left, right, top, bottom }: TextBox): boolean =>
  x > left && x < right && y > top && y < bottom;

/**
 * Returns the height from which a heart falls, or null for the top edge of the screen. A heart that would fall across the text starts
 * below it.
 */
export function fallStart({ x, y }: Point, { left, right, bottom }: TextBox): number | null {
  return x > left && x < right && y >= bottom ? bottom : null;
}
