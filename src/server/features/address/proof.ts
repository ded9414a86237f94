import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Where an installation proves which one it is. */
const PROOF_PATH = '/api/site/proof';

/** The same with a nonce, at a site. */
export function proofAt(site: URL, nonce: string): URL {
  const url = new URL(PROOF_PATH, site);
  url.searchParams.set('nonce', nonce);
  return url;
}

/** What to ask an installation for: another one each time. */
export const newNonce = (): string => randomBytes(16).toString('base64url');

/**
 * The nonce under the installation's seal. The purpose is part of what is sealed: nothing else that this key seals can be taken for a proof,
 * nor a proof for it.
 */
export function proofOf(secret: Buffer, nonce: string): string {
  return createHmac('sha256', secret).update(`address:${nonce}`).digest('base64url');
}

/** Was that sealed by this installation? */
export function isProof(secret: Buffer, nonce: string, proof: string): boolean {
  const [ours, theirs] = [Buffer.from(proofOf(secret, nonce)), Buffer.from(proof)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}
