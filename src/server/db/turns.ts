import { DatabaseUnavailable } from './unavailable.ts';

/** One holder at a time, in order of arrival. */
export type Turns = {
  /** Resolves when it's the caller's turn; rejects with `DatabaseUnavailable` after `patience` ms. */
  take(): Promise<void>;
  /** Ends the holder's turn. */
  pass(): void;
};

export function createTurns(patience: number): Turns {
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
    async take() {
      if (taken) return wait();
      taken = true;
    },
    pass() {
      const [next] = waiting;
      if (next) next();
      else taken = false;
    },
  };
}
