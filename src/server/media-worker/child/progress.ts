import { setImmediate as turn } from 'node:timers/promises';
import type { Progress } from '../progress.ts';

/** Report interval, and longest time without yielding, in ms. */
const REPORT_MS = 250;
const MAX_BLOCK_MS = 50;

type ProgressReport = { done: number; share: number; megapixels: number | null; seconds: number | null };

/** Counts progress and reports it at an interval. */
export function progressOf(onReport: (report: ProgressReport) => void): { progress: Progress; stop(): void } {
  const report: ProgressReport = { done: 0, share: 0, megapixels: null, seconds: null };
  let yieldedAt = performance.now();
  const timer = setInterval(() => onReport({ ...report }), REPORT_MS);
  return {
    progress: {
      add(count) {
        report.done += count;
      },
      share(share) {
        report.share = Math.min(1, Math.max(0, share));
      },
      setWorkload(megapixels, seconds) {
        report.megapixels = megapixels;
        report.seconds = seconds ?? null;
        onReport({ ...report });
      },
      async yieldToEventLoop() {
        if (performance.now() - yieldedAt < MAX_BLOCK_MS) return;
        await turn();
        yieldedAt = performance.now();
      },
    },
    stop: () => clearInterval(timer),
  };
}
