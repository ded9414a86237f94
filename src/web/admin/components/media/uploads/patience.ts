/** Delays before each retry in ms; the last applies to all later ones. */
const DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

export type RetryDelay = {
  /** Calls back after a delay that grows with each call, or as soon as the network returns or the page becomes visible. */
  wait: (onRetry: () => void) => void;
  /** Restarts with the shortest delay, after a success. */
  reset: () => void;
  /** Cancels the pending retry. */
  stop: () => void;
};

/** Retry delays for temporary failures. */
export function createRetryDelay(): RetryDelay {
  let attempts = 0;
  let cancel = () => {};
  function wait(onRetry: () => void): void {
    cancel();
    const ms = DELAYS_MS[Math.min(attempts, DELAYS_MS.length - 1)];
    attempts += 1;
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
      onRetry();
    }
  }
  return {
    wait,
    reset: () => {
      attempts = 0;
    },
    stop: () => cancel(),
  };
}
