import { createHmac, hash } from 'node:crypto';

/**
 * Returns a visitor's secret: 256 bits derived from the installation's key. It is sent in a cookie; only its hash is stored.
 * Each attempt at a visit has one secret (decision 001): a delayed request may run after the reply to its retry,
 * and the cookie of that reply must remain valid.
 */
export function visitSecret(
  key: Buffer,
  visit: { session_id: string; attempt_id: string },
): { secret: string; cookie_hash: string } {
  const { session_id, attempt_id } = visit;
  const secret = createHmac('sha256', key).update(`visit:${session_id}:${attempt_id}`).digest('base64url');
  return { secret, cookie_hash: hashSecret(secret) };
}

/** Returns the secret of the device that finished this visit, for its keepsake. It never changes, so a lost reply does no harm. */
export function keepsakeSecretOf(key: Buffer, session_id: string): string {
  return createHmac('sha256', key).update(`keepsake:${session_id}`).digest('base64url');
}

/** Returns the SHA-256 of a visitor's secret, hex. Sessions are found by it. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
