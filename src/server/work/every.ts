/** Recurring work in the background. */
export type Interval = {
  /** Also runs the work now, after a current run; calls before that run begins are merged. */
  now(): void;
  /** Stops it and waits for a current run. */
  stop(): Promise<void>;
};

/**
 * Runs `work` every `ms`, first after one interval, one run at a time; runs that come due during a long one are merged into one. Doesn't
 * keep the process running.
 * @param failed receives the error of a run that rejects; later runs are not affected
 */
export function startInterval(
  ms: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
): Interval {
  let running: Promise<unknown> = Promise.resolve();
  let isDue = false;
  const now = () => {
    if (isDue) return;
    isDue = true;
    running = running
      .then(() => {
        isDue = false;
        return work();
      })
      .catch(failed);
  };
  const timer = setInterval(now, ms).unref();
  return {
    now,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
