/**
 * How a picture is turned: which of its sides change places, and what is mirrored then. An MP4's matrix says it in nine numbers, of which only
 * the signs of four matter here: no camera turns by anything but quarters.
 */
export type AttemptResult = { swaps: boolean; mirrored: boolean; filters: string[] };

const NONE: AttemptResult = { swaps: false, mirrored: false, filters: [] };

export function rotationOf(matrix: readonly number[] | null): AttemptResult {
  if (matrix === null) return NONE;
  const [a = 0, b = 0, , c = 0, d = 0] = matrix;
  const mirrored = a * d - b * c < 0;
  if (Math.abs(a) + Math.abs(d) >= Math.abs(b) + Math.abs(c)) {
    const filters = [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])];
    return { swaps: false, mirrored, filters };
  }
  return { swaps: true, mirrored, filters: [`transpose=${transposition(b < 0, c < 0)}`] };
}

/** FFmpeg's names for the four ways in which rows become columns. */
function transposition(isUpward: boolean, isLeftward: boolean): string {
  if (isLeftward) return isUpward ? 'clock_flip' : 'clock';
  return isUpward ? 'cclock' : 'cclock_flip';
}
