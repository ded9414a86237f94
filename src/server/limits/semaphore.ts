/** More of those who come behind are waiting than the machine should take on. */
export class SemaphoreFull extends Error {
  override name = 'SemaphoreFull';
}

export type Semaphore = {
  /**
   * Runs `work` in its turn. `behind`: after all who are not. Rejects with `SemaphoreFull` if too many of them wait, or if `signal` is aborted
   * before the turn has come.
   */
  run<T>(work: () => Promise<T>, how?: { behind: boolean; signal?: AbortSignal | undefined }): Promise<T>;
  isIdle(): boolean;
};

/** Lets so many pieces of work run at once. The others wait: all who come in front, and so many of those behind them. */
export function createSemaphore(atOnce: number, mostBehind = Number.POSITIVE_INFINITY): Semaphore {
  let running = 0;
  const inFront = new Set<() => void>();
  const behindThem = new Set<() => void>();
  const leave = () => {
    for (const line of [inFront, behindThem])
      for (const next of line) {
        line.delete(next);
        return next();
      }
    running -= 1;
  };
  const enter = async (behind: boolean, signal?: AbortSignal) => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (behind && behindThem.size >= mostBehind) throw new SemaphoreFull('Too much of this work is waiting.');
    const line = behind ? behindThem : inFront;
    await new Promise<void>((go, giveUp) => {
      line.add(go);
      const left = () => line.delete(go) && giveUp(new SemaphoreFull('It has left.'));
      signal?.addEventListener('abort', left, { once: true });
    });
  };
  return {
    async run(work, { behind, signal } = { behind: false }) {
      await enter(behind, signal);
      return work().finally(leave);
    },
    isIdle: () => running === 0,
  };
}
