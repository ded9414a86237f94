import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Path at which an installation proves its identity. */
const PROOF_PATH = '/api/site/proof';

/** Returns the proof's URL at a site, with a nonce. */
export function proofAt(site: URL, nonce: string): URL {
  const url = new URL(PROOF_PATH, site);
  url.searchParams.set('nonce', nonce);
  return url;
}

/** Returns a random nonce for one check. */
export const newNonce = (): string => randomBytes(16).toString('base64url');

/**
 * Returns the HMAC of the nonce. The payload names its purpose, so no other value signed with this key is valid as a
 * proof, or the reverse.
 */
export function proofOf(secret: Buffer, nonce: string): string {
  return createHmac('sha256', secret).update(`address:${nonce}`).digest('base64url');
}

/** Returns true if this installation made the proof, comparing in constant time. */
export function isProof(secret: Buffer, nonce: string, proof: string): boolean {
  const [expected, received] = [Buffer.from(proofOf(secret, nonce)), Buffer.from(proof)];
  return expected.length === received.length && timingSafeEqual(expected, received);
}
