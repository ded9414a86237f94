import { DAY_MS, HOUR_MS, MINUTE_MS, TIME_ZONE } from '../../domain/limits.ts';
import { ordinalDate } from '../dates.ts';

/** Units of a size, in bytes. */
const SIZE_UNITS = [
  { bytes: 1024 ** 3, name: 'GB' },
  { bytes: 1024 ** 2, name: 'MB' },
  { bytes: 1024, name: 'kB' },
] as const;
/** Amount from which decimals are left out. */
const WHOLE_FROM = 100;

const whole = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('it-IT', { style: 'percent', maximumFractionDigits: 0 });

/** Formats a size: `1,2 GB`, `340 MB`, `12 byte`. */
export function humanSize(bytes: number): string {
  const unit = SIZE_UNITS.find((candidate) => bytes >= candidate.bytes);
  if (unit === undefined) return `${whole.format(bytes)} byte`;
  const amount = bytes / unit.bytes;
  return `${(amount < WHOLE_FROM ? oneDecimal : whole).format(amount)} ${unit.name}`;
}

/** Formats a speed: `2,4 MB/s`. */
export function humanSpeed(bytesPerSecond: number): string {
  return `${humanSize(Math.round(bytesPerSecond))}/s`;
}

/** Formats a remaining time in stable steps: `meno di un minuto`, `12 minuti`, `1 ora e 5 minuti`. */
export function humanTimeLeft(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 10) return 'pochi secondi';
  if (minutes < 1) return 'meno di un minuto';
  if (minutes < 60) return minutesText(minutes);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const hoursText = hours === 1 ? '1 ora' : `${hours} ore`;
  return rest === 0 ? hoursText : `${hoursText} e ${minutesText(rest)}`;
}

/** Formats a share (0 to 1) as a percentage: `40%`. Reaches 100% only at the very end. */
export function humanShare(share: number): string {
  return percent.format(wholePercent(share) / 100);
}

/** Returns a share (0 to 1) in whole percent, rounded down. */
export function wholePercent(share: number): number {
  return Math.min(100, Math.max(0, Math.floor(share * 100)));
}

function minutesText(minutes: number): string {
  return minutes === 1 ? '1 minuto' : `${minutes} minuti`;
}

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
const TIME_UNITS = [
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
  const [unit, ms] = TIME_UNITS.find(([, ms]) => passed >= ms) ?? ['second', 1_000];
  return passed < NOW_MS ? 'adesso' : relative.format(-Math.floor(passed / ms), unit);
}

/** Formats the time until a moment, rounded to the nearest unit: `tra 30 giorni`, `tra 2 ore`. */
export function ahead(moment: string, now: Date): string {
  const left = Math.max(0, Date.parse(moment) - now.getTime());
  const [unit, ms] = TIME_UNITS.find(([, ms]) => left >= ms) ?? ['second', 1_000];
  return relative.format(Math.round(left / ms), unit);
}
