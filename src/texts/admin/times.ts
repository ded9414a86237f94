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

/** Units from largest to smallest, in ms. */
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', 1_000],
] as const;
/** Time ago, in ms, that still counts as now; clocks differ by as much. */
const NOW_MS = 5_000;

/** Formats the Italian day of a moment, for example `15 dicembre 2026`. */
export function dayOf(moment: string): string {
  return ordinalDate(day.format(new Date(moment)));
}

/** Formats a recent moment to the second: `15 dic, 21:30:05`. */
export function momentOf(moment: string): string {
  return ordinalDate(shortMoment.format(new Date(moment)));
}

/**
 * Formats the time since a moment: `adesso`, `12 secondi fa`, `3 ore fa`. A moment in the future, from a clock that is ahead, is `adesso`
 * too.
 */
export function ago(moment: string, now: Date): string {
  const passed = now.getTime() - Date.parse(moment);
  const [unit, ms] = UNITS.find(([, ms]) => passed >= ms) ?? ['second', 1_000];
  return passed < NOW_MS ? 'adesso' : relative.format(-Math.floor(passed / ms), unit);
}

/** Formats the time until a moment, rounded to the nearest unit: `tra 30 giorni`, `tra 2 ore`. */
export function ahead(moment: string, now: Date): string {
  const left = Math.max(0, Date.parse(moment) - now.getTime());
  const [unit, ms] = UNITS.find(([, ms]) => left >= ms) ?? ['second', 1_000];
  return relative.format(Math.round(left / ms), unit);
}
