/** How long work takes on this machine. */
export type SpeedEstimate = {
  /** How long this takes here that two cores are expected to take so long for (seconds). */
  here(expected: number): number;
  /** What was expected to take so long took so long (seconds). */
  learn(expected: number, took: number): void;
};

/** The cores that work is expected for, and the most that share it. */
const CORES = { usual: 2, most: 4 } as const;
/** Of shorter work most is beginning and ending (seconds). */
const TELLING_SECONDS = 5;
/** It is never believed to be slower or faster by more. */
const MOST = 8;

/** By its cores as long as nothing was done; then the last work counts as much as all before it. A restart forgets it. */
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
