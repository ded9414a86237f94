import { cookieIdOf } from '../http/cookies.ts';

/** better-auth's prefix of this install's cookies, without `__Secure-`. */
export const cookiePrefix = (secret: Buffer): string => `sorpresa_${cookieIdOf(secret)}`;

/** What the names of sign-in's cookies begin with: now, and up to release 0.2. */
export function prefixesOf({ secret, secure }: { secret: Buffer; secure: boolean }): {
  own: string;
  old: string;
} {
  const prefix = secure ? '__Secure-' : '';
  return { own: `${prefix}${cookiePrefix(secret)}`, old: `${prefix}sorpresa` };
}

/**
 * Gives a request's sign-in cookies of releases up to 0.2 the names they have now. With `over` they replace those of now, else they only stand in for
 * what is not there. Returns the same headers if none is renamed.
 */
export function underOwnNames(
  headers: Headers,
  { own, old }: { own: string; old: string },
  { over }: { over: boolean } = { over: false },
): Headers {
  const parts = (headers.get('cookie') ?? '').split(';').map((part) => part.trim());
  const present = new Set(parts.map(nameIn));
  const renamed = parts
    .filter((part) => part.startsWith(`${old}.`))
    .map((part) => `${own}${part.slice(old.length)}`)
    .filter((part) => over || !present.has(nameIn(part)));
  if (renamed.length === 0) return headers;
  const names = new Set(renamed.map(nameIn));
  const changed = new Headers(headers);
  changed.set('cookie', [...renamed, ...parts.filter((part) => !names.has(nameIn(part)))].join('; '));
  return changed;
}

const nameIn = (part: string) => part.split('=', 1)[0] ?? '';
