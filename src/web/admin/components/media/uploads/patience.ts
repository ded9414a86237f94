/** How long to wait before each new try, in milliseconds; the last holds for all that follow. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

export type RetryDelay = {
  /** Calls back after a while that grows with every call, or as soon as the network or the administrator is back. */
  wait: (onTry: () => void) => void;
  /** Things go well: the next wait is a short one again. */
  reset: () => void;
  /** Waits no more. */
  stop: () => void;
};

/** Waiting for what passes by itself. */
export function createRetryDelay(): RetryDelay {
  let tries = 0;
  let cancel = () => {};
  function wait(onTry: () => void): void {
    cancel();
    const ms = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)];
    tries += 1;
    const timer = setTimeout(now, ms);
    const whenVisible = () => {
      if (document.visibilityState === 'visible') now();
    };
    addEventListener('online', now);
    document.addEventListener('visibilitychange', whenVisible);
    cancel = () => {
      clearTimeout(timer);
      removeEventListener('online', now);
      document.removeEventListener('visibilitychange', whenVisible);
    };
    function now(): void {
      cancel();
      onTry();
    }
  }
  return {
    wait,
    reset: () => {
      tries = 0;
    },
    stop: () => cancel(),
  };
}
