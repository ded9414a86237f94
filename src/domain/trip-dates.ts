import { DAY_MS } from './time.ts';

/** Whole days of a trip, `YYYY-MM-DD`, both among them. */
export type TripDays = { first: string; last: string };

/** A day as somebody wrote it: the year may be left out. */
type Written = { day: number; month: number; year: number | null; weekday: number | null };

const MONTHS = [
  'gennaio',
  'febbraio',
  'marzo',
  'aprile',
  'maggio',
  'giugno',
  'luglio',
  'agosto',
  'settembre',
  'ottobre',
  'novembre',
  'dicembre',
];
/** As `Date` counts them. */
const WEEKDAYS = ['domenica', 'lunedi', 'martedi', 'mercoledi', 'giovedi', 'venerdi', 'sabato'];

const MONTH = MONTHS.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|');
const WEEKDAY = WEEKDAYS.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|');
const START = `^(?:il )?(?:(?<weekday>${WEEKDAY}),? )?(?:il )?`;
/** An hour says nothing about the day. */
const END = '(?:,? (?:(?:alle )?(?:ore )?)\\d{1,2}[:.]\\d{2})?$';
const FORMS = [
  new RegExp(`${START}(?<day>\\d{1,2})[°º]? (?<name>${MONTH})(?:,? (?<year>\\d{4}))?${END}`),
  new RegExp(`${START}(?<day>\\d{1,2})(?<sign>[/.-])(?<month>\\d{1,2})\\k<sign>(?<year>\\d{4}|\\d{2})${END}`),
  new RegExp(`${START}(?<day>\\d{1,2})/(?<month>\\d{1,2})${END}`),
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
];

/** A longer one isn't what was meant. */
const LONGEST_DAYS = 366;

/**
 * The days of a trip out of its free texts, or null where they aren't certain: a calendar entry on a wrong day is worse than none. A year that
 * is left out is the other date's, or the first in which the day comes after the evening. Without a way back it is the day of departure alone.
 * @param evening the day of the evening, `YYYY-MM-DD`
 */
export function tripDays(
  departure: string | null,
  homecoming: string | null,
  evening: string,
): TripDays | null {
  const from = written(departure ?? '');
  if (from === null) return null;
  if ((homecoming ?? '').trim() === '') {
    const only = dayOf(from, from.year ?? nextYear(from, evening));
    return only === null ? null : { first: only, last: only };
  }
  const to = written(homecoming ?? '');
  if (to === null) return null;
  const first = dayOf(from, from.year ?? yearBefore(from, to) ?? nextYear(from, evening));
  const last = first === null ? null : dayOf(to, to.year ?? nextYear(to, first));
  return first !== null && last !== null && isTrip(first, last) ? { first, last } : null;
}

/** The day after, `YYYY-MM-DD`. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

function written(text: string): Written | null {
  const plain = text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ');
  for (const form of FORMS) {
    const found = form.exec(plain)?.groups;
    if (found !== undefined) return read(found);
  }
  return null;
}

function read({ day, month, name, year, weekday }: Record<string, string | undefined>): Written {
  return {
    day: Number(day),
    month: name === undefined ? Number(month) : placeOf(MONTHS, name) + 1,
    year: year === undefined ? null : Number(year.length === 2 ? `20${year}` : year),
    weekday: weekday === undefined ? null : placeOf(WEEKDAYS, weekday),
  };
}

const placeOf = (names: string[], word: string) =>
  names.findIndex((name) => name.startsWith(word.replace('.', '').slice(0, 3)));

/** In this year the day as a calendar has it; null where none has it, or where it is another day of the week. */
function dayOf({ day, month, weekday }: Written, year: number): string | null {
  const text = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return null;
  return weekday === null || date.getUTCDay() === weekday ? text : null;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');
const inYear = ({ day, month }: Written, year: number) => `${year}-${twoDigits(month)}-${twoDigits(day)}`;

/** The first year in which the day doesn't come before another. */
function nextYear(day: Written, after: string): number {
  const year = Number(after.slice(0, 4));
  return inYear(day, year) < after ? year + 1 : year;
}

/** The last year in which the day doesn't come after the way back; null where that has none either. */
function yearBefore(day: Written, to: Written): number | null {
  if (to.year === null) return null;
  return inYear(day, to.year) > inYear(to, to.year) ? to.year - 1 : to.year;
}

function isTrip(first: string, last: string): boolean {
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS;
  return days >= 0 && days < LONGEST_DAYS;
}
