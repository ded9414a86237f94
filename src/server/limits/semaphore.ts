/** More of those who come behind are waiting than the machine should take on. */
export class SemaphoreFull extends Error {
  override name = 'SemaphoreFull';
}

export type Semaphore = {
  /** Runs `work` in its turn. `behind`: only when nobody else waits; of these, whoever comes when too many wait is turned away with `SemaphoreFull`. */
  run<T>(work: () => Promise<T>, how?: { behind: boolean }): Promise<T>;
};

/** Lets so many pieces of work run at once. The others wait: all who come in front, and so many of those behind them. */
export function createSemaphore(atOnce: number, mostBehind = Number.POSITIVE_INFINITY): Semaphore {
  let running = 0;
  const inFront: (() => void)[] = [];
  const behindThem: (() => void)[] = [];
  const leave = () => {
    const next = inFront.shift() ?? behindThem.shift();
    if (next) next();
    else running -= 1;
  };
  const enter = async (behind: boolean) => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (behind && behindThem.length >= mostBehind)
      throw new SemaphoreFull('Too much of this work is waiting.');
    await new Promise<void>((go) => (behind ? behindThem : inFront).push(go));
  };
  return {
    async run(work, { behind } = { behind: false }) {
      await enter(behind);
      return work().finally(leave);
    },
  };
}
