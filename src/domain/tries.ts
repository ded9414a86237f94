/** Wrong answers that one may give: `atOnce` without a pause, then one each `everyMs`. */
export type RateLimit = { atOnce: number; everyMs: number };

/**
 * The wrong answers so far are one instant: when the last of them is forgiven (GCRA). Each puts it off by `everyMs`, so that in any time t
 * no more than `atOnce` + t / `everyMs` are given, and nobody ever waits longer than `everyMs`.
 * @param clearsAt the stored instant, in ms
 * @param atWork attempts in progress that may fail as well
 * @returns the wait before the next attempt, in ms; 0 if it may start now
 */
export function waitMs(clearsAt: number, limit: RateLimit, now: number, atWork = 0): number {
  const since = Math.max(now, clampToLimit(clearsAt, limit, now));
  return Math.max(0, since + (atWork + 1 - limit.atOnce) * limit.everyMs - now);
}

/** When all is forgiven after one more wrong answer, in ms. */
export function afterFailure(clearsAt: number, limit: RateLimit, now: number): number {
  return Math.max(clampToLimit(clearsAt, limit, now), now) + limit.everyMs;
}

/** Maximum difference between the clocks of two nodes, in ms. */
const CLOCKS_APART_MS = 1_000;

/**
 * An instant further ahead than it can have been set is that of a clock that was set back since: it holds nobody. One that is ahead by less
 * than a pause may be another node's clock, and means the longest wait.
 */
function clampToLimit(clearsAt: number, { atOnce, everyMs }: RateLimit, now: number): number {
  const furthest = now + atOnce * everyMs;
  return clearsAt > furthest + Math.max(everyMs, CLOCKS_APART_MS) ? now : Math.min(clearsAt, furthest);
}
