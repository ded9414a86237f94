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
