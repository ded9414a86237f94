import { isBlank, removeInvisible } from './blank.ts';
import { DAY_MS, TIME_ZONE } from './limits.ts';

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

/** Days of a trip, `YYYY-MM-DD`, both inclusive. */
export type TripDays = { first: string; last: string };

/** A parsed date; the year may be missing. */
type ParsedDate = { day: number; month: number; year: number | null; weekday: number | null };

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
/** Order of `Date.getUTCDay()`. */
const WEEKDAYS = ['domenica', 'lunedi', 'martedi', 'mercoledi', 'giovedi', 'venerdi', 'sabato'];

const WEEKDAY = WEEKDAYS.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|');
const ARTICLE = "(?:(?:il|dal|al) |(?:l|dall|all)')?";
const START = `^(?:(?:partenza|andata|ritorno):? )?${ARTICLE}(?:(?<weekday>${WEEKDAY}),? )?${ARTICLE}`;
/** Time of day; like a weekday in brackets it doesn't affect the day. */
const HOUR = '(?:(?:alle|dalle|ore|h|alle ore) \\d{1,2}(?:[:.]\\d{2})?|\\d{1,2}[:.]\\d{2})';
const END = `(?:(?:,| -)? ${HOUR})?(?: \\([a-z]+\\))?$`;
/** At least three letters of the month's name. */
const MONTH = '(?<name>[a-z]{3,})\\.?';
const FORMS = [
  new RegExp(`${START}(?:(?<day>\\d{1,2})[°o]?|primo) ${MONTH}(?:,? (?<year>\\d{4}|'\\d{2}))?${END}`),
  new RegExp(`${START}(?<day>\\d{1,2})(?<sign>[/.-])(?<month>\\d{1,2})\\k<sign>(?<year>\\d{4}|\\d{2})${END}`),
  new RegExp(`${START}(?<day>\\d{1,2})/(?<month>\\d{1,2})${END}`),
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
];
/** Both dates in one text: «dal 15 al 20 dicembre», «15–18 dicembre 2027». */
const RANGE =
  /^(?<there>.*?(?:\d[°o]?|primo)(?: [^\d]+(?: \d{4})?)?)(?: ?- ?| al | all'| fino al )(?<back>.+)$/;

/** Maximum length of a trip in days; a longer one is a misreading. */
const LONGEST_DAYS = 366;

/**
 * Returns the days of a trip from its free texts; null if they are ambiguous, because a calendar entry on a wrong day is worse than none.
 * A missing year is the other date's, or the first in which the day follows the evening. Without a return date it is the departure day
 * alone.
 * @param evening the day of the evening, `YYYY-MM-DD`
 */
export function tripDays(
  departure: string | null,
  homecoming: string | null,
  evening: string,
): TripDays | null {
  const both =
    isBlank(homecoming) && parseWritten(departure ?? '') === null ? parseRange(departure ?? '') : null;
  if (both !== null) return tripDays(...both, evening);
  const from = parseWritten(departure ?? '');
  if (from === null) return null;
  if (isBlank(homecoming)) {
    const only = dayOf(from, from.year ?? nextYear(from, evening));
    return only === null ? null : { first: only, last: only };
  }
  const to = parseWritten(homecoming ?? '');
  if (to === null) return null;
  const first = dayOf(from, from.year ?? yearBefore(from, to) ?? nextYear(from, evening));
  const last = first === null ? null : dayOf(to, to.year ?? nextYear(to, first));
  return first !== null && last !== null && isTrip(first, last) ? { first, last } : null;
}

/** Returns the next day, `YYYY-MM-DD`. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** Simplifies a text: lower case, without accents, emoji and invisible characters. */
function simplify(text: string): string {
  return removeInvisible(text.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[’‘`]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^\p{L}\p{N}\p{P}\s°]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function parseWritten(text: string): ParsedDate | null {
  for (const form of FORMS) {
    const parts = form.exec(simplify(text))?.groups;
    if (parts !== undefined) return read(parts);
  }
  return null;
}

function read({
  day = '1',
  month,
  name,
  year,
  weekday,
}: Record<string, string | undefined>): ParsedDate | null {
  const place = name === undefined ? Number(month) - 1 : MONTHS.findIndex((each) => each.startsWith(name));
  if (place < 0) return null;
  return {
    day: Number(day),
    month: place + 1,
    year: year === undefined ? null : Number(year.replace("'", '').padStart(4, '20')),
    weekday:
      weekday === undefined ? null : WEEKDAYS.findIndex((each) => each.startsWith(weekday.slice(0, 3))),
  };
}

/** Returns both dates from one text; the first may omit parts that the second states. */
function parseRange(text: string): [there: string, back: string] | null {
  const { there, back } = RANGE.exec(simplify(text))?.groups ?? {};
  if (there === undefined || back === undefined || parseWritten(back) === null) return null;
  const [, rest = ''] = /\d[°o]? ([a-z].*)$/.exec(back) ?? [];
  const first = [there, `${there} ${rest}`].find((each) => parseWritten(each) !== null);
  return first === undefined ? null : [first, back];
}

/** Returns the calendar day in this year; null if it doesn't exist, or is another day of the week. */
function dayOf({ day, month, weekday }: ParsedDate, year: number): string | null {
  const text = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return null;
  return weekday === null || date.getUTCDay() === weekday ? text : null;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');
const inYear = ({ day, month }: ParsedDate, year: number) => `${year}-${twoDigits(month)}-${twoDigits(day)}`;

/** Returns the first year in which the day isn't before `after`. */
function nextYear(day: ParsedDate, after: string): number {
  const year = Number(after.slice(0, 4));
  return inYear(day, year) < after ? year + 1 : year;
}

/** Returns the last year in which the day isn't after the return; null if the return has no year. */
function yearBefore(day: ParsedDate, to: ParsedDate): number | null {
  if (to.year === null) return null;
  return inYear(day, to.year) > inYear(to, to.year) ? to.year - 1 : to.year;
}

function isTrip(first: string, last: string): boolean {
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS;
  return days >= 0 && days < LONGEST_DAYS;
}
