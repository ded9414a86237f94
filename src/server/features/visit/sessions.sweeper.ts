import { SILENCE_MS } from '../../../domain/limits.ts';
import type { Clock, Readings } from '../../clock.ts';
import type { Deps } from '../../deps.ts';
import { every } from '../../work/every.ts';
import { isAnybodyInside } from './sessions.repo.ts';
import { sweepSessions } from './sessions.service.ts';

/** Time between two sweeps, in milliseconds. */
export const SWEEP_EVERY_MS = 15_000;

/**
 * Decides at each round whether to sweep. Not in the first 90 s: after a restart the visitors need the time to be heard again. Nor
 * for 90 s after the wall clock jumped ahead by more than two rounds (or the machine slept): by that clock everybody has been silent.
 */
export function createRhythm(start: Readings): (at: Readings) => boolean {
  let last = start;
  let quietUntil = start.steady + SILENCE_MS.foreground;
  return (at) => {
    const jump = at.wall - last.wall - (at.steady - last.steady);
    last = at;
    if (jump > 2 * SWEEP_EVERY_MS) quietUntil = at.steady + SILENCE_MS.foreground;
    return at.steady >= quietUntil;
  };
}

/**
 * Sweeps silent sessions every 15 s, and lets a jump of the wall clock count once nobody is inside any more. Returns what stops it; a sweep
 * under way is waited for.
 */
export function startSweeper(
  deps: Pick<Deps, 'db' | 'inTransaction' | 'now' | 'live' | 'log'>,
  clock: Pick<Clock, 'held' | 'settle'>,
): () => Promise<void> {
  const readings = (): Readings => ({ wall: deps.now().getTime(), steady: performance.now() });
  const isTime = createRhythm(readings());
  return every(
    SWEEP_EVERY_MS,
    () => round(deps, clock, isTime(readings())),
    (error) => deps.log.error({ err: error }, 'sweep of silent sessions failed'),
  ).stop;
}

async function round(
  deps: Pick<Deps, 'db' | 'inTransaction' | 'now' | 'live' | 'log'>,
  clock: Pick<Clock, 'held' | 'settle'>,
  sweeps: boolean,
): Promise<void> {
  if (sweeps) await sweepSessions(deps);
  if (clock.held() !== 0 && !(await isAnybodyInside(deps.db, deps.now()))) clock.settle();
}
