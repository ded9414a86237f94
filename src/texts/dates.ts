import { TIME_ZONE } from '../domain/limits.ts';

/** Makes the first of a month an ordinal, as Italian requires. @param date a formatted date that begins with its day */
export function ordinalDate(date: string): string {
  return date.replace(/^1(?=\s)/, '1º');
}

const ELIDED = { il: 'l’', al: 'all’', del: 'dell’', dal: 'dall’' } as const;

/** Puts an article or preposition before a formatted date or share: `del 15 dicembre`, `dell’11 dicembre`, `dal 1º dicembre`, `all’83%`. */
export function withArticle(before: keyof typeof ELIDED, text: string): string {
  return /^((8|11)\s|(1|8|11|8\d)%)/.test(text) ? `${ELIDED[before]}${text}` : `${before} ${text}`;
}

const italianDay = new Intl.DateTimeFormat('it-IT', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Formats a calendar day, for example `15 dicembre 2026`.
 * @param iso `YYYY-MM-DD`; any other text is returned unchanged
 */
export function longDay(iso: string): string {
  const day = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? iso : ordinalDate(italianDay.format(day));
}

const italianWeekday = new Intl.DateTimeFormat('it-IT', { weekday: 'long', timeZone: 'UTC' });

/** Formats a calendar day with its weekday: `sabato 11 dicembre 2027`. @param iso `YYYY-MM-DD` */
export const weekdayAndDay = (iso: string): string =>
  `${italianWeekday.format(new Date(`${iso}T00:00:00Z`))} ${longDay(iso)}`;

const italianMoment = new Intl.DateTimeFormat('it-IT', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: TIME_ZONE,
});

/** Formats a moment on Italian clocks, for example `15 dicembre 2026 alle ore 21:30`. @param moment a timestamp (ISO 8601) or a date */
export function longMoment(moment: string | Date): string {
  return ordinalDate(italianMoment.format(new Date(moment)));
}

const italianClock = new Intl.DateTimeFormat('it-IT', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: TIME_ZONE,
});

/**
 * Formats a moment in figures, to the second, on Italian clocks, for example `15/12/2026, 21:30:05`. @param moment a timestamp (ISO 8601)
 */
export function exactMoment(moment: string): string {
  return italianClock.format(new Date(moment));
}

/** Messages for requests without a usable reply of the server. */
export const networkTexts = {
  offline: 'Connessione assente. Controlla la rete e riprova.',
  unexpected: 'Si è verificato un errore',
} as const;
