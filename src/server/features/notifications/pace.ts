import { HOUR_MS, MINUTE_MS } from '../../../domain/limits.ts';

/** Times in ms. One message per 5 s on average and 8 at once after a pause: never more than 20 a minute. */
const INTERVAL = 5_000;
const BURST = 8;
const TOLERANCE = (BURST - 1) * INTERVAL;

/** Time in which failed entries are collected, in ms. */
export const FAILURES_INTERVAL = MINUTE_MS;

/** Age at which unsent messages expire, in ms. */
export const GIVE_UP_AFTER = 48 * HOUR_MS;

/** Lease of a message in progress, in ms: longer than sending (`TELEGRAM_TIMEOUT_MS`, `MAIL_TIMEOUT_MS`) and recording it. */
export const LEASE = 60_000;

const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 10 * MINUTE_MS;
/** Longest wait that is accepted from Telegram, in ms. */
const LONGEST_RETRY_AFTER = HOUR_MS;

/** Longest wait of a message for its next attempt, and of a whole channel, in ms. */
export const LONGEST_WAIT = LONGEST_RETRY_AFTER + TOLERANCE + INTERVAL;

/**
 * Returns the earliest time of the next message. The pace is one instant (GCRA): when the messages sent until now would
 * have been due at the steady rate. It may be ahead of now by the tolerance.
 */
export function nextSendAt(pace: number): number {
  return pace - TOLERANCE;
}

/**
 * Returns the pace, or now if it is implausibly far ahead. Such a pace was stored before the clock was set back and
 * would block all messages.
 */
export function sanitizeRate(pace: number, now: number): number {
  return pace - now > LONGEST_WAIT ? now : pace;
}

export function afterMessage(pace: number, now: number): number {
  return Math.max(pace, now) + INTERVAL;
}

/** Returns the time of the next attempt after Telegram requested a wait, in ms. */
export function retryAt(seconds: number, now: number): number {
  return now + Math.min(seconds * 1_000, LONGEST_RETRY_AFTER);
}

/** Returns a pace that blocks until `until`, then releases one message at a time. A service that was down is not flooded. */
export function pausedUntil(pace: number, until: number): number {
  return Math.max(pace, until + TOLERANCE);
}

/** Returns the pause after consecutive failures, in ms: 5 s, 10 s, 20 s … 10 min. */
export function pauseMsAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));
}
