import { TIME_ZONE } from '../domain/limits.ts';

const italianDay = new Intl.DateTimeFormat('it-IT', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * A calendar day in words, for example `15 dicembre 2026`.
 * @param iso `YYYY-MM-DD`; anything else comes back as it is
 */
export function longDay(iso: string): string {
  const day = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? iso : italianDay.format(day);
}

const italianMoment = new Intl.DateTimeFormat('it-IT', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: TIME_ZONE,
});

/** A moment in words on Italian clocks, for example `15 dicembre 2026 alle ore 21:30`. Takes a timestamp (ISO 8601) or a date. */
export function longMoment(moment: string | Date): string {
  return italianMoment.format(new Date(moment));
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

/** A moment in figures, to the second, on Italian clocks, for example `15/12/2026, 21:30:05`. Takes a timestamp (ISO 8601). */
export function exactMoment(moment: string): string {
  return italianClock.format(new Date(moment));
}
