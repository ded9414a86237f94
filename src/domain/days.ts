import { TIME_ZONE } from './limits.ts';
import { DAY_MS } from './time.ts';

/** Of all the languages, Swedish writes days the ISO way. */
const isoDay = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: TIME_ZONE });

/** The day on Italian calendars at this moment, as `YYYY-MM-DD`. */
export function italianDayOf(moment: Date): string {
  return isoDay.format(moment);
}

/** The last `count` Italian days in the order of time, the last being the day of `now`. None is left out or named twice when clocks change. */
export function lastItalianDays(now: Date, count: number): string[] {
  // Days are counted at their noons in UTC, which know no changing clocks.
  const noon = Date.parse(`${italianDayOf(now)}T12:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(noon - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/**
 * How many nights lie between this moment and a day, on Italian calendars; negative where it is past.
 * @param day `YYYY-MM-DD`, or a moment (ISO 8601)
 */
export function daysUntil(day: string, now: Date): number {
  const noonOf = (date: string) => Date.parse(`${date}T12:00:00Z`);
  const then = day.length === 'YYYY-MM-DD'.length ? day : italianDayOf(new Date(day));
  return Math.round((noonOf(then) - noonOf(italianDayOf(now))) / DAY_MS);
}
