/** Resolves with the promise's value, or undefined after `ms` milliseconds. */
export function orTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return Promise.race([promise, sleep(ms).then(() => undefined)]);
}

/** Resolves after `ms` milliseconds, or as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Returns the wait in ms after `failures` failures in a row: doubled each time, up to `longest`. */
export function retryDelayMs(
  failures: number,
  { first, longest }: { first: number; longest: number },
): number {
  return Math.min(longest, first * 2 ** failures);
}

/**
 * Runs the rest of a long operation in a separate task, so that input or a frame can come between. Uses a message: timers are delayed in
 * hidden pages.
 */
export function nextTask(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    run();
  });
  port1.start();
  port2.postMessage(null);
}

/** Longest wait for a frame, in ms; none comes while the page is hidden. */
const FRAME_TIMEOUT_MS = 250;

/** Runs `run` after the next frame was painted; its changes appear in the following frame. */
export function afterFrame(run: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    run();
  };
  requestAnimationFrame(() => nextTask(once));
  setTimeout(once, FRAME_TIMEOUT_MS);
}
