/** Wrong answers that one may give: `atOnce` without a pause, then one each `everyMs`. */
export type TryLimit = { atOnce: number; everyMs: number };

/**
 * The wrong answers so far are one instant: when the last of them is forgiven (GCRA). Each puts it off by `everyMs`, so that in any time t
 * no more than `atOnce` + t / `everyMs` are given, and nobody ever waits longer than `everyMs`.
 * @param forgiven as it was stored, in ms; @returns how long to wait before the next try, in ms; 0 when it may be made
 */
export function waitMs(forgiven: number, limit: TryLimit, now: number): number {
  return Math.max(0, believed(forgiven, limit, now) - (limit.atOnce - 1) * limit.everyMs - now);
}

/** When all is forgiven after one more wrong answer, in ms. */
export function afterWrong(forgiven: number, limit: TryLimit, now: number): number {
  return Math.max(believed(forgiven, limit, now), now) + limit.everyMs;
}

/**
 * An instant further ahead than it can have been set is that of a clock that was set back since: it holds nobody. One that is ahead by less
 * than a pause may be another node's clock, and means the longest wait.
 */
function believed(forgiven: number, { atOnce, everyMs }: TryLimit, now: number): number {
  const furthest = now + atOnce * everyMs;
  return forgiven > furthest + everyMs ? now : Math.min(forgiven, furthest);
}
