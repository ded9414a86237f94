/** The queue of this rank is full. */
export class SemaphoreFull extends Error {
  override name = 'SemaphoreFull';
}

const RANKS = ['first', 'next', 'last'] as const;
export type Rank = (typeof RANKS)[number];

export type Semaphore = {
  /**
   * Runs `work` in its turn: after all of a higher rank and earlier ones of its rank. Rejects with `SemaphoreFull` if the queue of its rank
   * is full, and with the signal's reason if it is aborted before its turn.
   */
  run<T>(work: () => Promise<T>, how?: { rank?: Rank; signal?: AbortSignal | undefined }): Promise<T>;
  isIdle(): boolean;
};

/** Creates a semaphore for a number of concurrent tasks, with a maximum queue length per rank. */
export function createSemaphore(
  concurrency: number,
  maxQueued: Partial<Record<Rank, number>> = {},
): Semaphore {
  let running = 0;
  const queues = { first: new Set<() => void>(), next: new Set<() => void>(), last: new Set<() => void>() };
  const finish = () => {
    for (const rank of RANKS)
      for (const next of queues[rank]) {
        queues[rank].delete(next);
        return next();
      }
    running -= 1;
  };
  const enter = async (rank: Rank, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    if (running < concurrency) {
      running += 1;
      return;
    }
    const line = queues[rank];
    if (line.size >= (maxQueued[rank] ?? Number.POSITIVE_INFINITY))
      throw new SemaphoreFull('Too much of this work is waiting.');
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        line.delete(start);
        reject(signal?.reason);
      };
      line.add(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  };
  return {
    async run(work, { rank = 'next', signal } = {}) {
      await enter(rank, signal);
      try {
        return await work();
      } finally {
        finish();
      }
    },
    isIdle: () => running === 0,
  };
}
