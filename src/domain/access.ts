import type { TokenRecord } from '../contract/model.ts';
import { DAY_MS, HOUR_MS, HOURS_AFTER_GRADUATION, PASSPHRASE_LENGTH } from './limits.ts';

/** Part of a token row that decides if it opens. Timestamps are ISO 8601 in UTC. */
export type TokenState = Pick<TokenRecord, 'attivo' | 'scadenza' | 'max_accessi' | 'accessi_usati'>;

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

/** Returns true before the opening time, when even a correct code opens nothing. @param opens_at ISO 8601 in UTC, or null if not set */
export function isTooEarly(opens_at: string | null, now: Date): opens_at is string {
  return opens_at !== null && now.getTime() < Date.parse(opens_at);
}

/** Returns the whole seconds until a moment, at least one, so that a client that waits for them isn't too early again. */
export function secondsUntil(moment: string, now: Date): number {
  return Math.max(1, Math.ceil((Date.parse(moment) - now.getTime()) / 1_000));
}

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

/** Allowed wrong answers: `atOnce` without a pause, then one each `everyMs`. */
export type RateLimit = { atOnce: number; everyMs: number };

/**
 * Returns the wait before the next attempt, in ms; 0 if it may start now. Failures are stored as one instant, at which the last is forgiven
 * (GCRA). Each moves it by `everyMs`: in a time t at most `atOnce` + t / `everyMs` fail, and no wait exceeds `everyMs`.
 * @param clearsAt the stored instant, in ms
 * @param atWork attempts in progress that may fail as well
 */
export function waitMs(clearsAt: number, limit: RateLimit, now: number, atWork = 0): number {
  const since = Math.max(now, clampToLimit(clearsAt, limit, now));
  return Math.max(0, since + (atWork + 1 - limit.atOnce) * limit.everyMs - now);
}

/** Returns the instant at which all is forgiven after one more failure, in ms. */
export function afterFailure(clearsAt: number, limit: RateLimit, now: number): number {
  return Math.max(clampToLimit(clearsAt, limit, now), now) + limit.everyMs;
}

/** Maximum difference between the clocks of two nodes, in ms. */
const CLOCKS_APART_MS = 1_000;

/**
 * Limits a stored instant. One further ahead than possible comes from a clock that was set back since, and is ignored.
 * One ahead by less than a pause may come from another node's clock, and means the longest wait.
 */
function clampToLimit(clearsAt: number, { atOnce, everyMs }: RateLimit, now: number): number {
  const furthest = now + atOnce * everyMs;
  return clearsAt > furthest + Math.max(everyMs, CLOCKS_APART_MS) ? now : Math.min(clearsAt, furthest);
}

/** Returns true if the text is too short for an archive's passphrase. */
export const isShortPassphrase = (text: string): boolean => [...text].length < PASSPHRASE_LENGTH.min;
