/** Seconds of a day, an hour, a minute, a second. */
const UNITS = [86_400, 3_600, 60, 1];

/**
 * Returns the days, hours, minutes and seconds of a wait.
 * @param ms remaining ms; a started second counts as a whole one, a negative value as 0
 */
export function timeLeft(ms: number): number[] {
  let rest = Math.max(0, Math.ceil(ms / 1_000));
  return UNITS.map((unit) => {
    const count = Math.floor(rest / unit);
    rest %= unit;
    return count;
  });
}
