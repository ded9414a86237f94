import { TIME_ZONE } from './limits.ts';
import { DAY_MS } from './time.ts';

/** Swedish formats days as ISO 8601. */
const isoDay = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: TIME_ZONE });

/** Returns the Italian calendar day of a moment, as `YYYY-MM-DD`. */
export function italianDayOf(moment: Date): string {
  return isoDay.format(moment);
}

/** Returns the last `count` Italian days in ascending order; the last is the day of `now`. Clock changes skip and repeat no day. */
export function lastItalianDays(now: Date, count: number): string[] {
  // Days are counted at noon UTC, which clock changes don't affect.
  const noon = Date.parse(`${italianDayOf(now)}T12:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(noon - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/**
 * Returns the number of nights from now to a day, on Italian calendars; negative if it is past.
 * @param day `YYYY-MM-DD`, or a moment (ISO 8601)
 */
export function daysUntil(day: string, now: Date): number {
  const noonOf = (date: string) => Date.parse(`${date}T12:00:00Z`);
  const then = day.length === 'YYYY-MM-DD'.length ? day : italianDayOf(new Date(day));
  return Math.round((noonOf(then) - noonOf(italianDayOf(now))) / DAY_MS);
}
