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
