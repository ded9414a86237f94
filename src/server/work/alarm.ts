export type Wakeup = {
  /** Resolves after so many ms, or sooner when it is rung for. One at a time. */
  sleep(ms: number): Promise<void>;
  /** Whoever sleeps is awake after so many ms; who doesn't sleep yet will have slept no longer than that. */
  wake(delay: number): void;
};

/** A sleep that can be cut short, also before it has begun: who looked for work while some was brought looks again. */
export function createWakeup(): Wakeup {
  let timer: NodeJS.Timeout | undefined;
  let awake: (() => void) | null = null;
  let due = Infinity;
  let rung = Infinity;
  const wakeIn = (ms: number) => {
    clearTimeout(timer);
    due = performance.now() + ms;
    timer = setTimeout(() => {
      awake?.();
      awake = null;
    }, ms);
  };
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        awake = resolve;
        wakeIn(Math.min(ms, rung));
        rung = Infinity;
      }),
    wake(delay) {
      if (!awake) rung = Math.min(rung, delay);
      // Who is rung for again and again wakes by the first of them.
      else if (performance.now() + delay < due) wakeIn(delay);
    },
  };
}
