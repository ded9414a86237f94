/** Does a piece of work when those before it are done, however they ended. Rejects with the signal's reason when it is stopped. */
export type Enqueue = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** One after the other. Whoever is stopped in the queue leaves it at once; who comes next still waits for the one at work. */
export function createQueue(): Enqueue {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, work) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const mine = Promise.race([last, stopped])
      .finally(() => signal.removeEventListener('abort', stop))
      .then(work);
    last = Promise.allSettled([last, mine]);
    return mine;
  };
}
