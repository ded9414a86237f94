import { startInterval } from './every.ts';

type AtRest = {
  /** So often it is looked, beside each time something else comes to rest, in ms. */
  ms: number;
  /** Has it looked whenever something else comes to rest. Returns what ends that. */
  onIdle(look: () => void): () => void;
  /** What is done; it ends soon once the signal aborts. */
  work(signal: AbortSignal): Promise<void>;
  failed(error: unknown): void;
};

/** Does work that can wait at once, whenever something else comes to rest, and every so often. Returns what stops it. */
export function runWhenIdle({ ms, onIdle, work, failed }: AtRest): () => Promise<void> {
  const stopping = new AbortController();
  const looks = startInterval(ms, () => work(stopping.signal), failed);
  const forget = onIdle(looks.now);
  looks.now();
  return async () => {
    forget();
    stopping.abort();
    await looks.stop();
  };
}
