import { HOURS_AFTER_GRADUATION } from './limits.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** The part of a token row that decides whether it opens. Timestamps are ISO 8601 in UTC. */
export type TokenState = {
  attivo: boolean;
  scadenza: string | null;
  max_accessi: number;
  accessi_usati: number;
};

export type AccessVerdict = 'ok' | 'CODE_INVALID' | 'CODE_EXPIRED' | 'CODE_EXHAUSTED';

/** Why somebody was not let in, as the log keeps it (`metadata.reason` of `access_denied`). */
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
 * May this code open a new visit now? (spec 4 «Access», 5.)
 * An unknown and a revoked code get the same answer: nobody learns that a code once existed.
 */
export function accessVerdict(token: TokenState | undefined, now: Date): AccessVerdict {
  if (!token?.attivo) return 'CODE_INVALID';
  if (isExpired(token.scadenza, now)) return 'CODE_EXPIRED';
  if (token.accessi_usati >= token.max_accessi) return 'CODE_EXHAUSTED';
  return 'ok';
}

/** Past its `scadenza`; an empty one means never (spec 3). */
export function isExpired(scadenza: string | null, now: Date): boolean {
  return scadenza !== null && Date.parse(scadenza) <= now.getTime();
}

/**
 * When the site closes, or null when no graduation date is set: 48 hours after the end of that day in Italy.
 * @param data_laurea a calendar day, `YYYY-MM-DD`
 */
export function closingTime(data_laurea: string | null): Date | null {
  if (data_laurea === null) return null;
  return new Date(endOfItalianDay(data_laurea) + HOURS_AFTER_GRADUATION * HOUR_MS);
}

/** The end of a day in Italy, in milliseconds. @param day `YYYY-MM-DD` */
export function endOfItalianDay(day: string): number {
  const nextMidnightUtc = startOfUtcDay(day) + DAY_MS;
  return nextMidnightUtc - romeOffsetMs(nextMidnightUtc);
}

/** Its beginning, likewise. */
export function startOfItalianDay(day: string): number {
  return startOfUtcDay(day) - romeOffsetMs(startOfUtcDay(day));
}

const startOfUtcDay = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Has the site closed by itself? */
export function isSiteClosed(data_laurea: string | null, now: Date): boolean {
  const closing = closingTime(data_laurea);
  return closing !== null && now >= closing;
}

/** What Italian clocks add to UTC at a midnight of UTC, in milliseconds: the hour they show then. */
function romeOffsetMs(midnightUtc: number): number {
  const hour = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Rome',
    hour: '2-digit',
    hourCycle: 'h23',
  }).format(midnightUtc);
  return Number(hour) * HOUR_MS;
}
