export type Wakeup = {
  /** Resolves after `ms`, or earlier if woken. One call at a time. */
  sleep(ms: number): Promise<void>;
  /** Wakes a current sleep within `delay` ms; without one, limits the next sleep to `delay` ms. */
  wake(delay: number): void;
};

/** Creates a sleep that can be cut short, even before it begins: work that arrives during a poll causes another poll. */
export function createWakeup(): Wakeup {
  let timer: NodeJS.Timeout | undefined;
  let resolveSleep: (() => void) | null = null;
  let due = Infinity;
  let pendingMs = Infinity;
  const wakeIn = (ms: number) => {
    clearTimeout(timer);
    due = performance.now() + ms;
    timer = setTimeout(() => {
      resolveSleep?.();
      resolveSleep = null;
    }, ms);
  };
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        resolveSleep = resolve;
        wakeIn(Math.min(ms, pendingMs));
        pendingMs = Infinity;
      }),
    wake(delay) {
      if (!resolveSleep) pendingMs = Math.min(pendingMs, delay);
      // Repeated calls don't postpone the first one.
      else if (performance.now() + delay < due) wakeIn(delay);
    },
  };
}
