/** Where the closing's hearts settle, and how they fall there without lying under words. Places are measured from the middle of the constellation: -1 to 1 both ways. */

export type Point = { x: number; y: number };
/** What words take of the same square, with room around them. */
export type TextBox = { left: number; right: number; top: number; bottom: number };

/** The outline is measured in so many pieces. */
const FINELY = 400;

/** Places on the outline of a heart, as far from each other all round. */
export function constellation(count: number): Point[] {
  const fine = Array.from({ length: FINELY }, (_, index) => outline(index / FINELY));
  let length = 0;
  const lengths = fine.map((place, index) => {
    length += index === 0 ? 0 : distance(fine[index - 1] ?? place, place);
    return length;
  });
  return Array.from({ length: count }, (_, index) => {
    const at = lengths.findIndex((walked) => walked >= (length * index) / count);
    return fine[at] ?? outline(0);
  });
}

function distance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** The well-known curve of sines and cosines, in a square. @param turn from 0 to 1, once round */
function outline(turn: number): Point {
  const t = turn * 2 * Math.PI;
  const [x, y] = [
    16 * Math.sin(t) ** 3,
    13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t),
  ];
  return { x: x / 16, y: -(y + 2.5) / 14.5 };
}

/** Does a heart that has settled there lie under them? It waits until they are gone. */
export const isBehindText = ({ x, y }: Point, { left, right, top, bottom }: TextBox): boolean =>
  x > left && x < right && y > top && y < bottom;

/** From how high a heart falls, where that isn't the screen's own edge: from under the words, where it would fall across them. */
export function fallStart({ x, y }: Point, { left, right, bottom }: TextBox): number | null {
  return x > left && x < right && y >= bottom ? bottom : null;
}
