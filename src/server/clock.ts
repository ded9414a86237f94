/** A reading of both clocks, in milliseconds: the wall's, and one that never jumps. */
export type ClockReadings = { wall: number; steady: number };

/** The product's time. */
export type Clock = {
  now(): Date;
  /** How far the wall clock is ahead of the product's time (behind it: negative), in ms, because a jump is being held back. */
  heldJumpMs(): number;
  /** Takes a jump over: from now on the product's time is the wall clock's again. */
  acceptJump(): void;
  /** Is this machine's own clock too far from the product's time, which is another's, for the node to take part? */
  isOff(): boolean;
  /** Nobody asks it for the time any more. */
  stop(): Promise<void>;
};

/** A smaller jump (what a machine's clock is commonly corrected by) is taken over at once: no visit is closed by it. In milliseconds. */
const JUMP_MS = 90_000;

export const readClocks = (): ClockReadings => ({ wall: Date.now(), steady: performance.now() });

/** A clock that is nobody else's is never off. */
const ITS_OWN = { isOff: () => false, stop: async () => {} };

/**
 * The wall clock, but for its jumps. Somebody set the clock a day back or two days ahead, or the machine had been started with a wrong one:
 * then time goes on steadily here, so that no visit under way ends by it, until `settle` is called because nobody is inside. A restart
 * knows only the wall clock.
 * @param onJump told of each jump that is held back, in ms
 */
export function createClock({
  read = readClocks,
  onJump = () => {},
}: {
  read?: () => ClockReadings;
  onJump?: (ms: number) => void;
} = {}): Clock {
  let last = read();
  let held = 0;

  function look(): ClockReadings {
    const at = read();
    const jump = at.wall - last.wall - (at.steady - last.steady);
    last = at;
    if (Math.abs(jump) > JUMP_MS) {
      held += jump;
      onJump(jump);
    }
    return at;
  }

  return {
    now: () => {
      const { wall } = look();
      return new Date(wall - held);
    },
    heldJumpMs: () => {
      look();
      return held;
    },
    acceptJump: () => {
      held = 0;
    },
    ...ITS_OWN,
  };
}

/** A clock that somebody else moves, as it is. */
export function plainClock(now: () => Date): Clock {
  return { now, heldJumpMs: () => 0, acceptJump: () => {}, ...ITS_OWN };
}
