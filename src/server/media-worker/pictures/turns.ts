/** What is to be done to a picture as it lies in a file, until it is upright. */
export type OrientationStep =
  /** Clockwise. */
  | { how: 'turn'; degrees: number }
  /** `top`: top and bottom change places; `left`: left and right do. */
  | { how: 'mirror'; over: 'top' | 'left' }
  /** Keeps a part, counted in pixels of a picture that is so large. */
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

/** What EXIF's eight numbers ask for. */
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

/** @param orientation of EXIF, 1 to 8; any other number turns nothing */
export const orientationSteps = (orientation: number): readonly OrientationStep[] =>
  BY_ORIENTATION[orientation] ?? [];
