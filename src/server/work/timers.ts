/** Recurring work in the background. */
export type Interval = {
  /** Also runs the work now, after a current run; calls before that run begins are merged. */
  now(): void;
  /** Stops it: aborts the signal of a current run and waits for its end. */
  stop(): Promise<void>;
};

/**
 * Runs `work` every `ms`, first after one interval, one run at a time; runs that come due during a long one are merged into one. Doesn't
 * keep the process running.
 * @param failed receives the error of a run that rejects; later runs are not affected
 * @param wake subscribes `now` to what else makes it run, and returns a function that ends this; with it, the first run begins at once
 */
export function startInterval(
  ms: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  failed: (error: unknown) => void,
  wake?: (now: () => void) => () => void,
): Interval {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let isDue = false;
  const now = () => {
    if (isDue) return;
    isDue = true;
    running = running
      .then(() => {
        isDue = false;
        return work(stopping.signal);
      })
      .catch(failed);
  };
  const timer = setInterval(now, ms).unref();
  const forget = wake?.(now);
  if (forget) now();
  return {
    now,
    async stop() {
      clearInterval(timer);
      forget?.();
      stopping.abort();
      await running;
    },
  };
}

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
