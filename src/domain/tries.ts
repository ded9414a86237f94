/** Wrong answers that one may give: `atOnce` without a pause, then one each `everyMs`. */
export type TryLimit = { atOnce: number; everyMs: number };

/**
 * The wrong answers so far are one instant: when the last of them is forgiven (GCRA). Each puts it off by `everyMs`, so that in any time t
 * no more than `atOnce` + t / `everyMs` are given, and nobody ever waits longer than `everyMs`.
 * @param forgiven the stored instant, in ms
 * @param atWork attempts in progress that may fail as well
 * @returns the wait before the next attempt, in ms; 0 if it may start now
 */
export function waitMs(forgiven: number, limit: TryLimit, now: number, atWork = 0): number {
  const since = Math.max(now, believed(forgiven, limit, now));
  return Math.max(0, since + (atWork + 1 - limit.atOnce) * limit.everyMs - now);
}

/** When all is forgiven after one more wrong answer, in ms. */
export function afterWrong(forgiven: number, limit: TryLimit, now: number): number {
  return Math.max(believed(forgiven, limit, now), now) + limit.everyMs;
}

/** Maximum difference between the clocks of two nodes, in ms. */
const CLOCKS_APART_MS = 1_000;

/**
 * An instant further ahead than it can have been set is that of a clock that was set back since: it holds nobody. One that is ahead by less
 * than a pause may be another node's clock, and means the longest wait.
 */
function believed(forgiven: number, { atOnce, everyMs }: TryLimit, now: number): number {
  const furthest = now + atOnce * everyMs;
  return forgiven > furthest + Math.max(everyMs, CLOCKS_APART_MS) ? now : Math.min(forgiven, furthest);
}
