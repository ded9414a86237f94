import { HOURS_AFTER_GRADUATION } from './limits.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** Part of a token row that decides if it opens. Timestamps are ISO 8601 in UTC. */
export type TokenState = {
  attivo: boolean;
  scadenza: string | null;
  max_accessi: number;
  accessi_usati: number;
};

export type AccessVerdict = 'ok' | 'CODE_INVALID' | 'CODE_EXPIRED' | 'CODE_EXHAUSTED';

/** Reason of a denied entry, as logged (`metadata.reason` of `access_denied`). */
export type DeniedReason =
  | 'code_empty'
  | 'too_many_attempts'
  | 'token_unknown'
  | 'token_revoked'
  | 'token_expired'
  | 'token_exhausted'
  | 'attempt_conflict'
  | 'site_closed'
  | 'too_early'
  | 'config_missing'
  | 'video_missing';

/**
 * Returns the verdict on opening a new visit with this code now (spec 4 «Access», 5).
 * Unknown and revoked codes get the same verdict, so a reply doesn't reveal that a code once existed.
 */
export function accessVerdict(token: TokenState | undefined, now: Date): AccessVerdict {
  if (!token?.attivo) return 'CODE_INVALID';
  if (isExpired(token.scadenza, now)) return 'CODE_EXPIRED';
  if (token.accessi_usati >= token.max_accessi) return 'CODE_EXHAUSTED';
  return 'ok';
}

/** Returns true after `scadenza`; null means never (spec 3). */
export function isExpired(scadenza: string | null, now: Date): boolean {
  return scadenza !== null && Date.parse(scadenza) <= now.getTime();
}

/**
 * Returns when the site closes, 48 hours after the end of the graduation day in Italy; null if no day is set.
 * @param data_laurea a calendar day, `YYYY-MM-DD`
 */
export function closingTime(data_laurea: string | null): Date | null {
  if (data_laurea === null) return null;
  return new Date(endOfItalianDay(data_laurea) + HOURS_AFTER_GRADUATION * HOUR_MS);
}

/** Returns the end of a day in Italy, as a timestamp in ms. @param day `YYYY-MM-DD` */
export function endOfItalianDay(day: string): number {
  const nextMidnightUtc = startOfUtcDay(day) + DAY_MS;
  return nextMidnightUtc - romeOffsetMs(nextMidnightUtc);
}

/** Returns the start of a day in Italy, as a timestamp in ms. @param day `YYYY-MM-DD` */
export function startOfItalianDay(day: string): number {
  return startOfUtcDay(day) - romeOffsetMs(startOfUtcDay(day));
}

const startOfUtcDay = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Returns true if the site has closed after the graduation day. */
export function isSiteClosed(data_laurea: string | null, now: Date): boolean {
  const closing = closingTime(data_laurea);
  return closing !== null && now >= closing;
}

/** Returns the offset of Italian clocks from UTC at a UTC midnight, in ms: the hour they show then. */
function romeOffsetMs(midnightUtc: number): number {
  const hour = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Rome',
    hour: '2-digit',
    hourCycle: 'h23',
  }).format(midnightUtc);
  return Number(hour) * HOUR_MS;
}
