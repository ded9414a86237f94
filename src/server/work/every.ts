/** Work that is done again and again beside the requests. */
export type Interval = {
  /** Does it also now, after what is under way; called again before that begins, it is done once. */
  now(): void;
  /** Ends it; what is under way is waited for. */
  stop(): Promise<void>;
};

/**
 * Does `work` every so many ms, one round after the other, from the first interval on; of those that come due during a long one, one is left.
 * It doesn't keep the process alive.
 * @param failed told when a round rejects; the next one comes all the same
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
