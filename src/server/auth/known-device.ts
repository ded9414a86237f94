import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { cookiePrefixes } from './cookie-names.ts';

const HALF_A_YEAR = 180 * 24 * 60 * 60;

/**
 * Returns the cookie that marks a device after a sign-in. Its attempts are counted separately, so that a stranger's failed attempts block
 * only strangers. The mark grants no access.
 */
export function knownDeviceCookie(secret: Buffer, email: string, secure: boolean): string {
  const id = randomUUID();
  const attributes = `Path=/api/auth; HttpOnly; SameSite=Lax; Max-Age=${HALF_A_YEAR}${secure ? '; Secure' : ''}`;
  return `${cookieName(secret, secure)}=${id}.${seal(secret, id, email)}; ${attributes}`;
}

/** Returns the device id if its mark was issued for this e-mail address, otherwise null. */
export function readKnownDevice(
  secret: Buffer,
  cookies: string | null,
  email: string,
  secure: boolean,
): string | null {
  const name = `${cookieName(secret, secure)}=`;
  const value = cookies
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
    ?.slice(name.length);
  const [id, signature = ''] = value?.split('.') ?? [];
  if (!id) return null;
  const expected = Buffer.from(seal(secret, id, email));
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? id : null;
}

const cookieName = (secret: Buffer, secure: boolean) => `${cookiePrefixes({ secret, secure }).own}.device`;

function seal(secret: Buffer, id: string, email: string): string {
  return createHmac('sha256', secret).update(`known-device:${id}:${email}`).digest('base64url');
}
