import { createHmac, hash } from 'node:crypto';

/**
 * A visitor's secret: 256 bits that nobody without the installation's key can know. It leaves in a cookie; only its hash is stored.
 * One attempt at one visit always has the same: a request that got stuck on its way may be carried out after its repetition was answered,
 * and the cookie of that answer must go on being right.
 */
export function visitSecret(
  key: Buffer,
  visit: { session_id: string; attempt_id: string },
): { secret: string; cookie_hash: string } {
  const { session_id, attempt_id } = visit;
  const secret = createHmac('sha256', key).update(`visit:${session_id}:${attempt_id}`).digest('base64url');
  return { secret, cookie_hash: hashSecret(secret) };
}

/** The secret of the device that finished this visit, for as long as there is a keepsake: always the same one, so that a reply that gets lost costs nothing. */
export function keepsakeSecretOf(key: Buffer, session_id: string): string {
  return createHmac('sha256', key).update(`keepsake:${session_id}`).digest('base64url');
}

/** What a visitor's secret is found by: its SHA-256, in hex. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
