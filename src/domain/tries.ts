/** Allowed wrong answers: `atOnce` without a pause, then one each `everyMs`. */
export type RateLimit = { atOnce: number; everyMs: number };

/**
 * Returns the wait before the next attempt, in ms; 0 if it may start now. Failures are stored as one instant, at which the last is forgiven
 * (GCRA). Each moves it by `everyMs`: in a time t at most `atOnce` + t / `everyMs` fail, and no wait exceeds `everyMs`.
 * @param clearsAt the stored instant, in ms
 * @param atWork attempts in progress that may fail as well
 */
export function waitMs(clearsAt: number, limit: RateLimit, now: number, atWork = 0): number {
  const since = Math.max(now, clampToLimit(clearsAt, limit, now));
  return Math.max(0, since + (atWork + 1 - limit.atOnce) * limit.everyMs - now);
}

/** Returns the instant at which all is forgiven after one more failure, in ms. */
export function afterFailure(clearsAt: number, limit: RateLimit, now: number): number {
  return Math.max(clampToLimit(clearsAt, limit, now), now) + limit.everyMs;
}

/** Maximum difference between the clocks of two nodes, in ms. */
const CLOCKS_APART_MS = 1_000;

/**
 * Limits a stored instant. One further ahead than possible comes from a clock that was set back since, and is ignored.
 * One ahead by less than a pause may come from another node's clock, and means the longest wait.
 */
function clampToLimit(clearsAt: number, { atOnce, everyMs }: RateLimit, now: number): number {
  const furthest = now + atOnce * everyMs;
  return clearsAt > furthest + Math.max(everyMs, CLOCKS_APART_MS) ? now : Math.min(clearsAt, furthest);
}
