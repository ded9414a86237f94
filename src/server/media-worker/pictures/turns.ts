/** A step that turns a stored picture upright. */
export type OrientationStep =
  /** Clockwise. */
  | { how: 'turn'; degrees: number }
  /** `top` swaps top and bottom, `left` swaps left and right. */
  | { how: 'mirror'; over: 'top' | 'left' }
  /** A part to cut out, in pixels of a picture of size `of`. */
  | {
      how: 'crop';
      left: number;
      top: number;
      width: number;
      height: number;
      of: { width: number; height: number };
    };

const turn = (degrees: number): OrientationStep => ({ how: 'turn', degrees });
const LEFT: OrientationStep = { how: 'mirror', over: 'left' };
const TOP: OrientationStep = { how: 'mirror', over: 'top' };

/** Steps by EXIF's orientation number. */
const BY_ORIENTATION: readonly (readonly OrientationStep[])[] = [
  [],
  [],
  [LEFT],
  [turn(180)],
  [TOP],
  [LEFT, turn(270)],
  [turn(90)],
  [LEFT, turn(90)],
  [turn(270)],
];

/** @param orientation of EXIF, 1 to 8; any other number needs no steps */
export const orientationSteps = (orientation: number): readonly OrientationStep[] =>
  BY_ORIENTATION[orientation] ?? [];
