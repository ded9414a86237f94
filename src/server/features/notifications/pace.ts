import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';

/** Times in ms. One message each 5 s in the long run and 8 at once after a silence: never more than 20 in any minute. */
const INTERVAL = 5_000;
const AT_ONCE = 8;
const TOLERANCE = (AT_ONCE - 1) * INTERVAL;

/** Failed entries wait this long for each other. */
export const FAILURES_INTERVAL = MINUTE_MS;

/** Nobody is told of what is older than 48 hours. */
export const GIVE_UP_AFTER = 48 * HOUR_MS;

/** As long as a message is being sent it belongs to its sender: longer than the request may take (`TELEGRAM_TIMEOUT_MS`) and its result be noted. */
export const LEASE = 60_000;

const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 10 * MINUTE_MS;
/** A Telegram that asks for more is asked again after an hour. */
const LONGEST_RETRY_AFTER = HOUR_MS;

/** No message waits longer than this for its next try, and nothing keeps all of them back longer. */
export const LONGEST_WAIT = LONGEST_RETRY_AFTER + TOLERANCE + INTERVAL;

/**
 * The pace is one point in time (GCRA): when the messages sent so far would have been due at the steady pace. It may lie ahead of now
 * by the tolerance; `nextSendAt` says from when the next message may leave.
 */
export function nextSendAt(pace: number): number {
  return pace - TOLERANCE;
}

/**
 * The pace as it can be believed: one that lies further ahead than anything makes it was noted by a clock that has been set back since,
 * and would keep everything silent for as long as that clock was ahead.
 */
export function sanitizeRate(pace: number, now: number): number {
  return pace - now > LONGEST_WAIT ? now : pace;
}

/** The pace after one more message. */
export function afterMessage(pace: number, now: number): number {
  return Math.max(pace, now) + INTERVAL;
}

/** When to try again after Telegram asked to wait so many seconds. */
export function retryAt(seconds: number, now: number): number {
  return now + Math.min(seconds * 1_000, LONGEST_RETRY_AFTER);
}

/** The pace that lets nothing leave before `until`, and then one message at a time: a Telegram that was down isn't flooded. */
export function pausedUntil(pace: number, until: number): number {
  return Math.max(pace, until + TOLERANCE);
}

/** How long to leave Telegram alone after so many failures in a row: 5 s, 10 s, 20 s … 10 min. */
export function pauseMsAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));
}
