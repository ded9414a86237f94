/** The queue of this rank is full. */
export class SemaphoreFull extends Error {
  override name = 'SemaphoreFull';
}

const RANKS = ['first', 'next', 'last'] as const;
export type Rank = (typeof RANKS)[number];

export type Semaphore = {
  /**
   * Runs `work` in its turn: after all of a higher rank and earlier ones of its rank. Rejects with `SemaphoreFull` if the queue of its rank
   * is full, or if `signal` is aborted before its turn.
   */
  run<T>(work: () => Promise<T>, how?: { rank?: Rank; signal?: AbortSignal | undefined }): Promise<T>;
  isIdle(): boolean;
};

/** Creates a semaphore for a number of concurrent tasks, with a maximum queue length per rank. */
export function createSemaphore(atOnce: number, places: Partial<Record<Rank, number>> = {}): Semaphore {
  let running = 0;
  const lines = { first: new Set<() => void>(), next: new Set<() => void>(), last: new Set<() => void>() };
  const leave = () => {
    for (const rank of RANKS)
      for (const next of lines[rank]) {
        lines[rank].delete(next);
        return next();
      }
    running -= 1;
  };
  const enter = async (rank: Rank, signal?: AbortSignal) => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const line = lines[rank];
    if (line.size >= (places[rank] ?? Number.POSITIVE_INFINITY))
      throw new SemaphoreFull('Too much of this work is waiting.');
    await new Promise<void>((go, giveUp) => {
      line.add(go);
      const left = () => line.delete(go) && giveUp(new SemaphoreFull('It has left.'));
      signal?.addEventListener('abort', left, { once: true });
    });
  };
  return {
    async run(work, { rank = 'next', signal } = {}) {
      await enter(rank, signal);
      return work().finally(leave);
    },
    isIdle: () => running === 0,
  };
}
