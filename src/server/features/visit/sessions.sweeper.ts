import { SESSION_TIMEOUT_MS } from '../../../domain/limits.ts';
import type { Clock, ClockReadings } from '../../clock.ts';
import { tryWrite } from '../../db/ping.ts';
import type { Deps } from '../../deps.ts';
import { startInterval } from '../../work/every.ts';
import { hasActiveVisit } from './sessions.repo.ts';
import { sweepSessions } from './sessions.service.ts';

/** Time between two sweeps, in milliseconds. */
export const SWEEP_EVERY_MS = 15_000;

/** When to sweep. */
export type SweepSchedule = {
  /** Asked at each round. */
  isTime(at: ClockReadings): boolean;
  /** Nobody can be heard now, or could until now. */
  quiet(at: Pick<ClockReadings, 'steady'>): void;
};

/**
 * Decides at each round whether to sweep. Not in the first 90 s: after a restart the visitors need the time to be heard again. Nor
 * for 90 s after the wall clock jumped ahead by more than two rounds (or the machine slept): by that clock everybody has been silent.
 */
export function createSweepSchedule(start: ClockReadings): SweepSchedule {
  let last = start;
  let quietUntil = 0;
  const quiet = ({ steady }: Pick<ClockReadings, 'steady'>) => {
    quietUntil = steady + SESSION_TIMEOUT_MS.foreground;
  };
  quiet(start);
  return {
    quiet,
    isTime(at) {
      const jump = at.wall - last.wall - (at.steady - last.steady);
      last = at;
      if (jump > 2 * SWEEP_EVERY_MS) quiet(at);
      return at.steady >= quietUntil;
    },
  };
}

type SweeperDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'live' | 'log'>;

/**
 * Sweeps silent sessions every 15 s, and lets a jump of the wall clock count once nobody is inside any more. While the database keeps nothing, nobody
 * is heard: once it does again, nobody is swept for 90 s, so a round that doesn't sweep tries a write. Returns what stops it; a sweep under way is
 * waited for.
 */
export function startSweeper(
  deps: SweeperDeps,
  clock: Pick<Clock, 'heldJumpMs' | 'acceptJump'>,
): () => Promise<void> {
  const readings = (): ClockReadings => ({ wall: deps.now().getTime(), steady: performance.now() });
  const rhythm = createSweepSchedule(readings());
  let away = false;
  const round = async () => {
    const sweeps = rhythm.isTime(readings()) && !away;
    const began = performance.now();
    try {
      await (sweeps ? sweepSessions(deps) : tryWrite(deps));
    } catch (error) {
      away = true;
      throw error;
    }
    // One that stood still and goes on was away as well.
    if (away || performance.now() - began > SWEEP_EVERY_MS) rhythm.quiet({ steady: performance.now() });
    away = false;
    if (clock.heldJumpMs() !== 0 && !(await hasActiveVisit(deps.db, deps.now()))) clock.acceptJump();
  };
  return startInterval(SWEEP_EVERY_MS, round, (error) =>
    deps.log.error({ err: error }, 'sweep of silent sessions failed'),
  ).stop;
}
