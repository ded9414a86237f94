const CONCURRENT = 2;
const QUEUE = 10;

/** More password checks are waiting than the machine should take on. */
export class GateFull extends Error {
  override name = 'GateFull';
}

export type Gate = { run<T>(work: () => Promise<T>): Promise<T> };

/** Lets two pieces of heavy work run at once and ten wait; the next one is turned away with `GateFull`. */
export function createGate(concurrent = CONCURRENT, queue = QUEUE): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  const enter = async () => {
    if (running < concurrent) {
      running += 1;
      return;
    }
    if (waiting.length >= queue) throw new GateFull('Too many password checks are waiting.');
    await new Promise<void>((go) => waiting.push(go));
  };
  return {
    async run(work) {
      await enter();
      return work().finally(leave);
    },
  };
}
