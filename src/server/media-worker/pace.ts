/** Estimates the duration of tasks on this machine. */
export type SpeedEstimate = {
  /** Returns the seconds that a task takes here. `expected`: its seconds on two cores. */
  here(expected: number): number;
  /** Records that a task took `took` seconds. `expected`: its seconds on two cores. */
  learn(expected: number, took: number): void;
};

/** Number of cores that expected times refer to, and the most that a task uses. */
const CORES = { usual: 2, most: 4 } as const;
/** Shortest task to learn from, in seconds: a shorter one is mostly startup and shutdown. */
const TELLING_SECONDS = 5;
/** Largest factor by which the machine is assumed to be slower or faster. */
const MOST = 8;

/** Starts from the number of cores. Each finished task then counts as much as all before it. Not stored across restarts. */
export function createSpeedEstimate(cores: number): SpeedEstimate {
  let known: number | null = null;
  const guess = CORES.usual / Math.min(Math.max(1, cores), CORES.most);
  return {
    here: (expected) => expected * (known ?? guess),
    learn(expected, took) {
      if (expected < TELLING_SECONDS) return;
      const factor = Math.min(MOST, Math.max(1 / MOST, took / expected));
      known = known === null ? factor : (known + factor) / 2;
    },
  };
}
