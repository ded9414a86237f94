/** Runs `work` after all earlier work has settled. Rejects with the signal's reason if aborted before. */
export type Enqueue = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Creates a queue that runs one task at a time. An aborted task leaves the queue at once; later ones still wait for the current task. */
export function createQueue(): Enqueue {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, work) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const current = Promise.race([last, stopped])
      .finally(() => signal.removeEventListener('abort', stop))
      .then(work);
    last = Promise.allSettled([last, current]);
    return current;
  };
}
