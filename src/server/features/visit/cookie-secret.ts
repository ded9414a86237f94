import { createHash, randomBytes } from 'node:crypto';

/** A visitor's new secret: 256 random bits. It leaves in a cookie; only its hash is stored. */
export function newSecret(): { secret: string; cookie_hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, cookie_hash: hashOf(secret) };
}

/** What a visitor's secret is found by: its SHA-256, in hex. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
