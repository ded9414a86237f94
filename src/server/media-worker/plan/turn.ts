/**
 * Rotation of a picture: swapped sides, then mirroring, and the filters for both. Only the signs of four of an MP4 matrix's nine numbers
 * matter, because cameras rotate by quarter turns.
 */
export type Rotation = { swaps: boolean; mirrored: boolean; filters: string[] };

const NONE: Rotation = { swaps: false, mirrored: false, filters: [] };

export function rotationOf(matrix: readonly number[] | null): Rotation {
  if (matrix === null) return NONE;
  const [a = 0, b = 0, , c = 0, d = 0] = matrix;
  const mirrored = a * d - b * c < 0;
  if (Math.abs(a) + Math.abs(d) >= Math.abs(b) + Math.abs(c)) {
    const filters = [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])];
    return { swaps: false, mirrored, filters };
  }
  return { swaps: true, mirrored, filters: [`transpose=${transposition(b < 0, c < 0)}`] };
}

/** Returns the argument of FFmpeg's `transpose` filter for the four ways in which rows become columns. */
function transposition(isUpward: boolean, isLeftward: boolean): string {
  if (isLeftward) return isUpward ? 'clock_flip' : 'clock';
  return isUpward ? 'cclock' : 'cclock_flip';
}
