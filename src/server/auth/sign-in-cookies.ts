import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { parseCookies } from 'better-auth/cookies';
import { cookieIdOf } from '../http/request-context.ts';

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

const HALF_A_YEAR = 180 * 24 * 60 * 60;

/**
 * Returns the cookie that marks a device after a sign-in. Its attempts are counted separately, so that a stranger's failed attempts block
 * only strangers. The mark grants no access.
 */
export function knownDeviceCookie(secret: Buffer, email: string, secure: boolean): string {
  const id = randomUUID();
  const attributes = `Path=/api/auth; HttpOnly; SameSite=Lax; Max-Age=${HALF_A_YEAR}${secure ? '; Secure' : ''}`;
  return `${deviceCookie(secret, secure)}=${id}.${seal(secret, id, email)}; ${attributes}`;
}

/** Returns the device id if its mark was issued for this e-mail address, otherwise null. */
export function readKnownDevice(
  secret: Buffer,
  cookies: string | null,
  email: string,
  secure: boolean,
): string | null {
  const name = deviceCookie(secret, secure);
  const [id, signature = ''] =
    parseCookies(cookies ?? '')
      .get(name)
      ?.split('.') ?? [];
  if (!id) return null;
  const expected = Buffer.from(seal(secret, id, email));
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? id : null;
}

const deviceCookie = (secret: Buffer, secure: boolean) => `${cookiePrefixes({ secret, secure }).own}.device`;

function seal(secret: Buffer, id: string, email: string): string {
  return createHmac('sha256', secret).update(`known-device:${id}:${email}`).digest('base64url');
}
