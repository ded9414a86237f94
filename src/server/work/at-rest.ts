import { startInterval } from './every.ts';

type IdleJob = {
  /** Interval in ms, in addition to each time the other job becomes idle. */
  ms: number;
  /** Adds a callback for each time the other job becomes idle. Returns a function that ends this. */
  onIdle(run: () => void): () => void;
  /** Runs the work; must end soon after the signal is aborted. */
  work(signal: AbortSignal): Promise<void>;
  failed(error: unknown): void;
};

/** Runs low-priority work at once, whenever the other job becomes idle, and at intervals. Returns a function that stops it. */
export function runWhenIdle({ ms, onIdle, work, failed }: IdleJob): () => Promise<void> {
  const stopping = new AbortController();
  const interval = startInterval(ms, () => work(stopping.signal), failed);
  const forget = onIdle(interval.now);
  interval.now();
  return async () => {
    forget();
    stopping.abort();
    await interval.stop();
  };
}
