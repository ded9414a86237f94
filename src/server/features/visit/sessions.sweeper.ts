import { SESSION_TIMEOUT_MS } from '../../../domain/limits.ts';
import type { Clock, ClockReadings } from '../../clock.ts';
import { tryWrite } from '../../db/counters.ts';
import type { Deps } from '../../deps.ts';
import { startInterval } from '../../work/timers.ts';
import { hasActiveVisit } from './sessions.repo.ts';
import { sweepSessions } from './sessions.service.ts';

/** Interval of the sweep, in ms. */
export const SWEEP_INTERVAL_MS = 15_000;

export type SweepSchedule = {
  /** Called in each round. Returns true if it may sweep. */
  isTime(at: ClockReadings): boolean;
  /** Postpones sweeps: heartbeats can't be stored now, or couldn't until now. */
  postpone(at: Pick<ClockReadings, 'steady'>): void;
};

/**
 * Decides in each round whether to sweep. Never in the first 90 s: after a restart visitors need that time to send a heartbeat.
 * Not for 90 s after the wall clock jumped ahead by more than two rounds, or the machine slept: all visitors seem silent then.
 */
export function createSweepSchedule(start: ClockReadings): SweepSchedule {
  let last = start;
  let quietUntil = 0;
  const postpone = ({ steady }: Pick<ClockReadings, 'steady'>) => {
    quietUntil = steady + SESSION_TIMEOUT_MS.foreground;
  };
  postpone(start);
  return {
    postpone,
    isTime(at) {
      const jump = at.wall - last.wall - (at.steady - last.steady);
      last = at;
      if (jump > 2 * SWEEP_INTERVAL_MS) postpone(at);
      return at.steady >= quietUntil;
    },
  };
}

type SweeperDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'live' | 'log'>;

/**
 * Sweeps silent sessions every 15 s, and accepts a jump of the wall clock once no visit is active.
 * Heartbeats are lost while the database fails, so sweeps pause until 90 s after recovery; a round without a sweep tests a write.
 * Returns a function that stops it and waits for a running sweep.
 */
export function startSweeper(
  deps: SweeperDeps,
  clock: Pick<Clock, 'heldJumpMs' | 'acceptJump'>,
): () => Promise<void> {
  const readings = (): ClockReadings => ({ wall: deps.now().getTime(), steady: performance.now() });
  const schedule = createSweepSchedule(readings());
  let isFailing = false;
  const round = async () => {
    const shouldSweep = schedule.isTime(readings()) && !isFailing;
    const began = performance.now();
    try {
      await (shouldSweep ? sweepSessions(deps) : tryWrite(deps));
    } catch (error) {
      isFailing = true;
      throw error;
    }
    // A database that hung and recovered counts as failed.
    if (isFailing || performance.now() - began > SWEEP_INTERVAL_MS)
      schedule.postpone({ steady: performance.now() });
    isFailing = false;
    if (clock.heldJumpMs() !== 0 && !(await hasActiveVisit(deps.db, deps.now()))) clock.acceptJump();
  };
  return startInterval(SWEEP_INTERVAL_MS, round, (error) =>
    deps.log.error({ err: error }, 'sweep of silent sessions failed'),
  ).stop;
}
