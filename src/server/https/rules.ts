/** When to ask for a certificate, and what a name's addresses say: no clock, no I/O. */
import { isIP } from 'node:net';
import { reachOf } from '../../domain/reach.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** From when until when a certificate is good. */
export type Validity = { from: Date; until: Date };

/** The last time the authority was asked. `waitUntil`: what it said itself. */
export type LastRequest = { at: Date; failures: number; waitUntil: Date | null };

/**
 * How long to wait after the first failures in a row, in ms; after more of them an hour each. Let's Encrypt takes five failed checks of a name
 * in an hour before it says «wait». After none it is an hour, too: a certificate that is due as soon as it has come (a machine's clock is
 * wrong) is not asked for again at once.
 */
const PAUSES = [10 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS];

/** The beginning of the last third of its life. */
export function renewalDate({ from, until }: Validity): Date {
  return new Date(until.getTime() - (until.getTime() - from.getTime()) / 3);
}

/**
 * When to ask the authority next. What stands in the future was written under another clock and doesn't count.
 * @param life of the certificate there is, for all of the names; null: there is none
 */
export function nextRequestAt(life: Validity | null, asked: LastRequest | null, now: Date): Date {
  const due = life === null ? new Date(0) : renewalDate(life);
  if (asked === null || asked.at > now) return due;
  return new Date(Math.max(due.getTime(), restUntil(asked).getTime()));
}

function restUntil({ at, failures, waitUntil }: LastRequest): Date {
  const pause = new Date(at.getTime() + (PAUSES[failures - 1] ?? HOUR_MS));
  return waitUntil !== null && waitUntil > at ? waitUntil : pause;
}

/** `Retry-After` as a moment: seconds, or a date; null where it is neither. */
export function retryAfterDate(retryAfter: string | null, now: Date): Date | null {
  const text = (retryAfter ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return new Date(now.getTime() + Number(text) * 1_000);
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * Do the name's addresses lead to another machine? Only like is compared with like: behind a router a machine doesn't know the public
 * address it is found at, and then nothing can be said.
 */
export function pointsElsewhere(found: readonly string[], ours: readonly string[]): boolean {
  const kinds = new Set(ours.map(kindOf));
  return (
    found.some((address) => kinds.has(kindOf(address))) && !found.some((address) => ours.includes(address))
  );
}

const kindOf = (address: string) => `${isIP(address)} ${reachOf(address)}`;
