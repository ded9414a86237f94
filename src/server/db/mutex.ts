import { DatabaseUnavailable } from './errors.ts';

/** A lock with one holder at a time, granted in order of arrival. */
export type Mutex = {
  /** Resolves at the caller's turn; rejects with `DatabaseUnavailable` after the timeout in ms. */
  acquire(): Promise<void>;
  /** Passes the lock to the next caller. */
  release(): void;
};

export function createMutex(timeoutMs: number): Mutex {
  const waiting = new Set<() => void>();
  let isLocked = false;

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(new DatabaseUnavailable(`No turn at the database within ${timeoutMs} ms`));
      }, timeoutMs);
      waiting.add(go);
    });
  }

  return {
    async acquire() {
      if (isLocked) return wait();
      isLocked = true;
    },
    release() {
      const [next] = waiting;
      if (next) next();
      else isLocked = false;
    },
  };
}
