/** What comes of a promise, or undefined where nothing has after so many milliseconds. */
export function orTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return Promise.race([promise, sleep(ms).then(() => undefined)]);
}

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Milliseconds to wait after that many failures in a row: doubled each time, up to the longest. */
export function retryDelayMs(
  failures: number,
  { first, longest }: { first: number; longest: number },
): number {
  return Math.min(longest, first * 2 ** failures);
}

/** Does the rest of something long in a task of its own, so that a touch or a frame may come between. Not by a timer: those are late in a page that is hidden. */
export function nextTask(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    run();
  });
  port1.start();
  port2.postMessage(null);
}

/** A frame that hasn't come by then doesn't come, in milliseconds: nobody sees the page. */
const NO_FRAME_MS = 250;

/** Does something once what is there now has been drawn: what it changes is work for the frame after. */
export function afterFrame(run: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    run();
  };
  requestAnimationFrame(() => nextTask(once));
  setTimeout(once, NO_FRAME_MS);
}
