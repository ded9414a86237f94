/** Returns the value of a `datetime-local` field in this device's time zone. @param iso a time, or null for '' */
export function toLocalMoment(iso: string | null): string {
  if (iso === null) return '';
  const moment = new Date(iso);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length);
}

/** Returns the time in ISO 8601 (UTC). Null without a valid date, or for an hour that is skipped in spring. */
export function fromLocalMoment(local: string): string | null {
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime())) return null;
  const iso = moment.toISOString();
  return toLocalMoment(iso) === local.slice(0, 'YYYY-MM-DDTHH:mm'.length) ? iso : null;
}

/** Returns the name of this device's time zone, for example `Ora dell’Europa centrale`, or its id. */
export function zoneInWords(): string {
  const zone = new Intl.DateTimeFormat('it-IT', { timeZoneName: 'longGeneric' });
  const words = zone.formatToParts().find(({ type }) => type === 'timeZoneName')?.value;
  return words ?? zone.resolvedOptions().timeZone;
}
