import { setTimeout as delay } from 'node:timers/promises';
import { REFUSAL_DELAY } from '../../domain/limits.ts';

/** Waits for the turn of a refusal, and returns how long that was, in ms. */
export type RefusalDelay = () => Promise<number>;

type Time = {
  /** In ms, from a clock that never jumps. */
  time(): number;
  sleep(ms: number): Promise<unknown>;
};

const REAL: Time = { time: () => performance.now(), sleep: (ms) => delay(ms) };

/**
 * Refusals of those who have to wait leave one after the other, so that whoever asks again at once, over however many connections, doesn't
 * keep the server from everybody else. A single one leaves at once.
 */
export function createRefusalDelay({ time, sleep }: Time = REAL): RefusalDelay {
  let next = 0;
  let held = 0;
  return async () => {
    const now = time();
    const turn = Math.min(Math.max(now, next), now + REFUSAL_DELAY.heldMs);
    next = turn + REFUSAL_DELAY.apartMs;
    if (turn === now || held >= REFUSAL_DELAY.held) return 0;
    held += 1;
    await sleep(turn - now);
    held -= 1;
    return turn - now;
  };
}
