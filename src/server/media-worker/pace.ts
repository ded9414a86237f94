/** Estimates the duration of tasks on this machine. */
export type SpeedEstimate = {
  /** Returns the seconds that a task takes here. `expected`: its seconds on two cores. */
  localSeconds(expected: number): number;
  /** Records that a task took `took` seconds. `expected`: its seconds on two cores. */
  learn(expected: number, took: number): void;
};

/** Number of cores that expected times refer to, and the most that a task uses. */
const CORES = { usual: 2, most: 4 } as const;
/** Shortest task to learn from, in seconds: a shorter one is mostly startup and shutdown. */
const MIN_LEARNING_SECONDS = 5;
/** Largest factor by which the machine is assumed to be slower or faster. */
const MAX_FACTOR = 8;

/** Starts from the number of cores. Each finished task then counts as much as all before it. Not stored across restarts. */
export function createSpeedEstimate(cores: number): SpeedEstimate {
  let measuredFactor: number | null = null;
  const initialFactor = CORES.usual / Math.min(Math.max(1, cores), CORES.most);
  return {
    localSeconds: (expected) => expected * (measuredFactor ?? initialFactor),
    learn(expected, took) {
      if (expected < MIN_LEARNING_SECONDS) return;
      const factor = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, took / expected));
      measuredFactor = measuredFactor === null ? factor : (measuredFactor + factor) / 2;
    },
  };
}
