import { TIME_ZONE } from '../../domain/limits.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { ordinalDate } from '../dates.ts';

const day = new Intl.DateTimeFormat('it-IT', { dateStyle: 'long', timeZone: TIME_ZONE });
const shortMoment = new Intl.DateTimeFormat('it-IT', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: TIME_ZONE,
});
const relative = new Intl.RelativeTimeFormat('it-IT', { numeric: 'always' });

/** From the largest to the smallest, in milliseconds. */
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', 1_000],
] as const;
/** Less than this ago is now, in milliseconds: two clocks never agree better. */
const NOW_MS = 5_000;

/** The day of a moment on Italian clocks, for example `15 dicembre 2026`. */
export function dayOf(moment: string): string {
  return ordinalDate(day.format(new Date(moment)));
}

/** A moment of these days, to the second: `15 dic, 21:30:05`. */
export function momentOf(moment: string): string {
  return ordinalDate(shortMoment.format(new Date(moment)));
}

/** How long ago, in words: `adesso`, `12 secondi fa`, `3 ore fa`. A clock that is ahead of ours says `adesso`, too. */
export function ago(moment: string, now: Date): string {
  const passed = now.getTime() - Date.parse(moment);
  const [unit, ms] = UNITS.find(([, ms]) => passed >= ms) ?? ['second', 1_000];
  return passed < NOW_MS ? 'adesso' : relative.format(-Math.floor(passed / ms), unit);
}

/** How far ahead, in words: `tra 30 giorni`, `tra 2 ore`; rounded to the nearest. */
export function ahead(moment: string, now: Date): string {
  const left = Math.max(0, Date.parse(moment) - now.getTime());
  const [unit, ms] = UNITS.find(([, ms]) => left >= ms) ?? ['second', 1_000];
  return relative.format(Math.round(left / ms), unit);
}
