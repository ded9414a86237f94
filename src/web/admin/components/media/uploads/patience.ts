/** Delays before each retry in ms; the last applies to all later ones. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

export type RetryDelay = {
  /** Calls back after a delay that grows with each call, or as soon as the network returns or the page becomes visible. */
  wait: (onTry: () => void) => void;
  /** Restarts with the shortest delay, after a success. */
  reset: () => void;
  /** Cancels the pending retry. */
  stop: () => void;
};

/** Retry delays for temporary failures. */
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
