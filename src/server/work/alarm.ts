export type Wakeup = {
  /** Resolves after `ms`, or earlier if woken. One call at a time. */
  sleep(ms: number): Promise<void>;
  /** Wakes a current sleep within `delay` ms; without one, limits the next sleep to `delay` ms. */
  wake(delay: number): void;
};

/** Creates a sleep that can be cut short, even before it begins: work that arrives during a poll causes another poll. */
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
      // Repeated calls don't postpone the first one.
      else if (performance.now() + delay < due) wakeIn(delay);
    },
  };
}
