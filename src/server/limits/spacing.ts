import { setTimeout as delay } from 'node:timers/promises';
import { REFUSAL_DELAY } from '../../domain/limits.ts';

/** Waits for the turn of a refusal; returns the time waited in ms. */
export type RefusalDelay = () => Promise<number>;

type Time = {
  /** Time in ms of a clock that never jumps. */
  time(): number;
  sleep(ms: number): Promise<unknown>;
};

const REAL_TIME: Time = { time: () => performance.now(), sleep: (ms) => delay(ms) };

/**
 * Spaces out refusals, so that blocked clients that retry at once over many connections don't occupy the server. A single refusal isn't
 * delayed.
 */
export function createRefusalDelay({ time, sleep }: Time = REAL_TIME): RefusalDelay {
  let next = 0;
  let held = 0;
  return async () => {
    const now = time();
    const startsAt = Math.min(Math.max(now, next), now + REFUSAL_DELAY.maxDelayMs);
    next = startsAt + REFUSAL_DELAY.spacingMs;
    if (startsAt === now || held >= REFUSAL_DELAY.maxHeld) return 0;
    held += 1;
    await sleep(startsAt - now);
    held -= 1;
    return startsAt - now;
  };
}
