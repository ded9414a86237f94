/** As a `datetime-local` field holds it, on this device's clocks. @param iso a moment, or null for '' */
export function toLocalMoment(iso: string | null): string {
  if (iso === null) return '';
  const moment = new Date(iso);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length);
}

/** The moment in UTC; null where this device's clocks never show it: no date, or an hour they pass over in spring. */
export function fromLocalMoment(local: string): string | null {
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime())) return null;
  const iso = moment.toISOString();
  return toLocalMoment(iso) === local.slice(0, 'YYYY-MM-DDTHH:mm'.length) ? iso : null;
}

/** The zone of this device's clocks in words, for example `Ora dell’Europa centrale`, or its name. */
export function zoneInWords(): string {
  const zone = new Intl.DateTimeFormat('it-IT', { timeZoneName: 'longGeneric' });
  const words = zone.formatToParts().find(({ type }) => type === 'timeZoneName')?.value;
  return words ?? zone.resolvedOptions().timeZone;
}
