/** The seconds of a day, an hour, a minute, a second. */
const UNITS = [86_400, 3_600, 60, 1];

/**
 * Days, hours, minutes and seconds of a wait.
 * @param ms what is left, in milliseconds; a second that has begun counts whole, and there is never less than nothing
 */
export function timeLeft(ms: number): number[] {
  let rest = Math.max(0, Math.ceil(ms / 1_000));
  return UNITS.map((unit) => {
    const count = Math.floor(rest / unit);
    rest %= unit;
    return count;
  });
}
