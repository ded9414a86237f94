import { DAY_MS } from './time.ts';

/** Expiries are compared as text, so years of more than four digits would sort wrongly. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns the expiry after «Proroga»: `giorni` days after the current one, or after `now` if it has already passed.
 * @param scadenza ISO 8601; null means never and stays null
 */
export function extendedExpiry(scadenza: string | null, giorni: number, now: Date): string | null {
  if (scadenza === null) return null;
  const from = Math.max(Date.parse(scadenza), now.getTime());
  return new Date(Math.min(from + giorni * DAY_MS, LAST)).toISOString();
}
