/** Readings of the wall clock and of a clock that never jumps, in ms. */
export type ClockReadings = { wall: number; steady: number };

/** The server's time. */
export type Clock = {
  now(): Date;
  /** Returns the difference between the wall clock and the server's time, in ms, caused by ignored jumps; negative if behind. */
  heldJumpMs(): number;
  /** Accepts the ignored jumps: the server's time equals the wall clock again. */
  acceptJump(): void;
  /** Returns true if this machine's clock differs too much from the shared time for the node to take part. */
  isOff(): boolean;
  /** Stops the clock; `now` must not be called afterwards. */
  stop(): Promise<void>;
};

/** Jumps up to this many ms (usual clock corrections) are accepted at once: they close no visit. */
const JUMP_MS = 90_000;

export const readClocks = (): ClockReadings => ({ wall: Date.now(), steady: performance.now() });

/** A clock of a single process is never off. */
const NEVER_OFF = { isOff: () => false, stop: async () => {} };

/**
 * Creates a clock that follows the wall clock but ignores its jumps, for example after a manual change by a day. Time then continues
 * steadily, so that no running visit ends, until `acceptJump` is called when there is no visit. A restart begins with the wall clock again.
 * @param onJump receives each ignored jump in ms
 */
export function createClock({
  read = readClocks,
  onJump = () => {},
}: {
  read?: () => ClockReadings;
  onJump?: (ms: number) => void;
} = {}): Clock {
  let last = read();
  let heldMs = 0;

  function readJump(): ClockReadings {
    const readings = read();
    const jump = readings.wall - last.wall - (readings.steady - last.steady);
    last = readings;
    if (Math.abs(jump) > JUMP_MS) {
      heldMs += jump;
      onJump(jump);
    }
    return readings;
  }

  return {
    now: () => {
      const { wall } = readJump();
      return new Date(wall - heldMs);
    },
    heldJumpMs: () => {
      readJump();
      return heldMs;
    },
    acceptJump: () => {
      heldMs = 0;
    },
    ...NEVER_OFF,
  };
}

/** Creates a clock that returns `now` unchanged. */
export function plainClock(now: () => Date): Clock {
  return { now, heldJumpMs: () => 0, acceptJump: () => {}, ...NEVER_OFF };
}
