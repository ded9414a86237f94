/** Rules for the time of the next certificate request and for a name's addresses, without clock and I/O. */
import { isIP } from 'node:net';
import { reachOf } from '../../domain/reach.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Period in which a certificate is valid. */
export type Validity = { from: Date; until: Date };

/** The last request to the authority. `waitUntil`: time that the authority stated. */
export type LastRequest = { at: Date; failures: number; waitUntil: Date | null };

/**
 * Waits after the first consecutive failures, in ms; an hour after further ones. Let's Encrypt allows five failed checks of a name per
 * hour. Without failures it is also an hour: a certificate that is due at once (wrong machine clock) isn't requested again immediately.
 */
const PAUSES = [10 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS];

/** Returns the start of the last third of the validity. */
export function renewalDate({ from, until }: Validity): Date {
  return new Date(until.getTime() - (until.getTime() - from.getTime()) / 3);
}

/**
 * Returns the time of the next request. A request stored in the future has the time of another clock and is ignored.
 * @param validity validity of the current certificate for all names; null if there is none
 */
export function nextRequestAt(validity: Validity | null, lastRequest: LastRequest | null, now: Date): Date {
  const due = validity === null ? new Date(0) : renewalDate(validity);
  if (lastRequest === null || lastRequest.at > now) return due;
  return new Date(Math.max(due.getTime(), waitEnd(lastRequest).getTime()));
}

function waitEnd({ at, failures, waitUntil }: LastRequest): Date {
  const pause = new Date(at.getTime() + (PAUSES[failures - 1] ?? HOUR_MS));
  return waitUntil !== null && waitUntil > at ? waitUntil : pause;
}

/** Parses `Retry-After`, seconds or a date; null if it is neither. */
export function retryAfterDate(retryAfter: string | null, now: Date): Date | null {
  const text = (retryAfter ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return new Date(now.getTime() + Number(text) * 1_000);
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * Returns true if the name's addresses point to another machine. Only addresses of the same family and reach are compared: behind a router
 * a machine doesn't know its public address, so the result is false.
 */
export function pointsElsewhere(found: readonly string[], localAddresses: readonly string[]): boolean {
  const kinds = new Set(localAddresses.map(addressKind));
  return (
    found.some((address) => kinds.has(addressKind(address))) &&
    !found.some((address) => localAddresses.includes(address))
  );
}

const addressKind = (address: string) => `${isIP(address)} ${reachOf(address)}`;
