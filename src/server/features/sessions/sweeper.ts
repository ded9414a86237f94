import { SILENCE_MS } from '../../../domain/limits.ts';
import type { Deps } from '../../deps.ts';
import { sweepSessions } from './sessions.service.ts';

/** Time between two sweeps, in milliseconds. */
export const SWEEP_EVERY_MS = 15_000;

/** A reading of both clocks, in milliseconds: the wall's, and one that never jumps. */
export type Clocks = { wall: number; steady: number };

/**
 * Decides at each round whether to sweep. Not in the first 90 s: after a restart the visitors need the time to be heard again. Nor
 * for 90 s after the wall clock jumped ahead by more than two rounds (or the machine slept): by that clock everybody has been silent.
 */
export function createRhythm(start: Clocks): (at: Clocks) => boolean {
  let last = start;
  let quietUntil = start.steady + SILENCE_MS.foreground;
  return (at) => {
    const jump = at.wall - last.wall - (at.steady - last.steady);
    last = at;
    if (jump > 2 * SWEEP_EVERY_MS) quietUntil = at.steady + SILENCE_MS.foreground;
    return at.steady >= quietUntil;
  };
}

/** Sweeps silent sessions every 15 s. Returns what stops it; a sweep under way is waited for. */
export function startSweeper(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
): () => Promise<void> {
  const clocks = (): Clocks => ({ wall: deps.now().getTime(), steady: performance.now() });
  const isTime = createRhythm(clocks());
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    if (!isTime(clocks())) return;
    running = sweepSessions(deps).catch((error: unknown) => {
      deps.log.error({ err: error }, 'sweep of silent sessions failed');
    });
  }, SWEEP_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
