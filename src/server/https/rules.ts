/** Rules for the time of the next certificate request, a name's addresses, and the trouble of a failed request. */
import dns from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { CertificateTrouble } from '../../contract/admin/site-address.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/limits.ts';
import { reachOf } from '../../domain/reach.ts';
import { errorCode } from '../db/errors.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { AuthorityRefused, AuthorityUnreachable } from './authority.ts';

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

/** Returns the time until which the authority wants the client to wait, if stated. */
export function statedWait(error: unknown, now: Date): Date | null {
  return error instanceof AuthorityRefused ? retryAfterDate(error.details.retryAfter, now) : null;
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
export function pointsElsewhere(found: readonly string[], ours: readonly string[]): boolean {
  const kinds = new Set(ours.map(addressKind));
  return (
    found.some((address) => kinds.has(addressKind(address))) &&
    !found.some((address) => ours.includes(address))
  );
}

const addressKind = (address: string) => `${isIP(address)} ${reachOf(address)}`;

/** Resolves a name's IPv4 and IPv6 addresses; empty if there are none or DNS fails. */
export async function resolveHost(name: string): Promise<string[]> {
  const results = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  return results.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** Returns this machine's addresses without link-local ones, which can't be compared with DNS. */
export function localAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.startsWith('fe80:'));
}

const NO_DETAILS = { name: null, port: null, found: [], ours: [], detail: null };

/** Returns the trouble of a port that can't be opened. */
export function portTrouble(port: number, error: unknown): CertificateTrouble {
  const code = errorCode(error);
  const kind = code === 'EACCES' ? 'port_refused' : code === 'EADDRINUSE' ? 'port_taken' : 'port_closed';
  return { ...NO_DETAILS, kind, port, detail: messageOf(error) };
}

/** Returns the trouble of a failed request, from the error of the authority or the system and from the names' addresses. */
export async function requestTrouble(error: unknown): Promise<CertificateTrouble> {
  const trouble = (kind: CertificateTrouble['kind'], more: Partial<CertificateTrouble> = {}) => ({
    ...NO_DETAILS,
    kind,
    detail: messageOf(error),
    ...more,
  });
  if (error instanceof StorageUnavailable) return trouble('not_kept');
  if (error instanceof AuthorityUnreachable) return trouble('authority_away');
  if (!(error instanceof AuthorityRefused)) return trouble('refused');
  const { domain: name, status, type, retryAfter } = error.details;
  if (status === 429 || type === 'rateLimited' || (status === 503 && retryAfter !== null))
    return trouble('wait');
  if (status >= 500) return trouble('authority_away');
  if (name === null || !TARGET_PROBLEMS.has(type)) return trouble('refused', { name });
  const [found, ours] = [await resolveHost(name), localAddresses()];
  const kind = addressTrouble(found, ours);
  const isUnreachable = type === 'connection' || type === 'dns';
  return trouble(kind ?? (isUnreachable ? 'unreachable' : 'other_answers'), { name, found, ours });
}

/** Returns the trouble of a name before the first request; null if it points here or to an address that can't be compared. */
export async function nameTrouble(name: string): Promise<CertificateTrouble | null> {
  const [found, ours] = [await resolveHost(name), localAddresses()];
  const kind = addressTrouble(found, ours);
  return kind === null ? null : { ...NO_DETAILS, kind, name, found, ours };
}

/** Check failures caused by the target of the name (RFC 8555, section 6.7). */
const TARGET_PROBLEMS = new Set(['dns', 'connection', 'unauthorized', 'incorrectResponse', 'tls']);

function addressTrouble(found: readonly string[], ours: readonly string[]) {
  if (found.length === 0) return 'no_address';
  return pointsElsewhere(found, ours) ? 'points_elsewhere' : null;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);
