import { cookieIdOf } from '../http/cookies.ts';

/** Returns better-auth's cookie prefix of this install, without `__Secure-`. */
export const cookiePrefix = (secret: Buffer): string => `sorpresa_${cookieIdOf(secret)}`;

/** Returns the prefixes of the sign-in cookies: the current one and that of releases up to 0.2. */
export function cookiePrefixes({ secret, secure }: { secret: Buffer; secure: boolean }): {
  own: string;
  old: string;
} {
  const prefix = secure ? '__Secure-' : '';
  return { own: `${prefix}${cookiePrefix(secret)}`, old: `${prefix}sorpresa` };
}

/**
 * Renames the sign-in cookies of releases up to 0.2 to their current names. With `over` they replace current cookies, otherwise they only
 * supply missing ones. Returns the same headers if none is renamed.
 */
export function renameOldCookies(
  headers: Headers,
  { own, old }: { own: string; old: string },
  { over }: { over: boolean } = { over: false },
): Headers {
  const parts = (headers.get('cookie') ?? '').split(';').map((part) => part.trim());
  const present = new Set(parts.map(cookieName));
  const renamed = parts
    .filter((part) => part.startsWith(`${old}.`))
    .map((part) => `${own}${part.slice(old.length)}`)
    .filter((part) => over || !present.has(cookieName(part)));
  if (renamed.length === 0) return headers;
  const names = new Set(renamed.map(cookieName));
  const changed = new Headers(headers);
  changed.set('cookie', [...renamed, ...parts.filter((part) => !names.has(cookieName(part)))].join('; '));
  return changed;
}

const cookieName = (part: string) => part.split('=', 1)[0] ?? '';
