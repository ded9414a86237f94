import { DatabaseUnavailable } from './unavailable.ts';

/** A lock with one holder at a time, granted in order of arrival. */
export type Mutex = {
  /** Resolves at the caller's turn; rejects with `DatabaseUnavailable` after the timeout in ms. */
  acquire(): Promise<void>;
  /** Passes the lock to the next caller. */
  release(): void;
};

export function createMutex(patience: number): Mutex {
  const waiting = new Set<() => void>();
  let taken = false;

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(new DatabaseUnavailable(`No turn at the database within ${patience} ms`));
      }, patience);
      waiting.add(go);
    });
  }

  return {
    async acquire() {
      if (taken) return wait();
      taken = true;
    },
    release() {
      const [next] = waiting;
      if (next) next();
      else taken = false;
    },
  };
}
