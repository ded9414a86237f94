/** Reproducible random numbers: a run prints its seed, and `SEED` repeats it. */
export type Random = {
  /** From 0 to `below`, exclusive. */
  int(below: number): number;
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
};

export function createRandom(what: string): Random {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
  console.log(`${what}: SEED=${seed}`);
  const next = mulberry32(seed);
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    pick: (list) => list[int(list.length)] as (typeof list)[number],
    shuffled(list) {
      const result = [...list];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const other = int(last + 1);
        [result[last], result[other]] = [result[other] as never, result[last] as never];
      }
      return result;
    },
  };
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Duration of each series of kills and restarts in ms: `SOAK_SECONDS`, by default one minute. */
export const SOAK_MS = 1_000 * Number(process.env.SOAK_SECONDS ?? 60);
