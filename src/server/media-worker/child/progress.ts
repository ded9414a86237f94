import { setImmediate as turn } from 'node:timers/promises';
import type { Progress } from '../progress.ts';

/** Report interval, and longest time without yielding, in ms. */
const TELL_MS = 250;
const BREATH_MS = 50;

type ProgressReport = { done: number; share: number; megapixels: number | null; seconds: number | null };

/** Counts progress and reports it at an interval. */
export function progressOf(tell: (told: ProgressReport) => void): { progress: Progress; stop(): void } {
  const told: ProgressReport = { done: 0, share: 0, megapixels: null, seconds: null };
  let breathed = performance.now();
  const timer = setInterval(() => tell({ ...told }), TELL_MS);
  return {
    progress: {
      add(count) {
        told.done += count;
      },
      share(share) {
        told.share = Math.min(1, Math.max(0, share));
      },
      setWorkload(megapixels, seconds) {
        told.megapixels = megapixels;
        told.seconds = seconds ?? null;
        tell({ ...told });
      },
      async yieldToEventLoop() {
        if (performance.now() - breathed < BREATH_MS) return;
        await turn();
        breathed = performance.now();
      },
    },
    stop: () => clearInterval(timer),
  };
}
