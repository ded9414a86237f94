import { DAY_MS } from './time.ts';

/** Expiries are compared as text; years of more than four digits would sort wrongly. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * When a code expires after «Proroga» (decision 7): `giorni` days after its expiry, or after `now` where it has expired already.
 * @param scadenza ISO 8601; null means that it never expires, and stays so
 */
export function extendedExpiry(scadenza: string | null, giorni: number, now: Date): string | null {
  if (scadenza === null) return null;
  const from = Math.max(Date.parse(scadenza), now.getTime());
  return new Date(Math.min(from + giorni * DAY_MS, LAST)).toISOString();
}
