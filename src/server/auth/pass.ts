import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** Content of a pass: its expiry, and its number among the install's passes of that purpose. */
export type PassClaim = { ends: Date; generation: number };

/**
 * Purpose of a pass. It is part of the signed payload, so a pass is only valid for its own purpose, and no other use of this key yields a
 * pass.
 */
export type PassPurpose = 'rehearsal' | 'diagnosis' | 'share';

/** Upper bound of pass numbers: the database stores them in 32 bits. */
const MAX_NUMBER = 2 ** 31;

const SHAPE = /^(\d{13})\.(\d{1,10})\.([A-Za-z0-9_-]{43})$/;

/** Returns a random number for a new pass, so that a revoked number isn't reused. */
export const randomPassNumber = (): number => randomInt(1, MAX_NUMBER);

/** Returns the signed pass. It isn't stored, and is valid only for its purpose. */
export function signPass(secret: Buffer, purpose: PassPurpose, { ends, generation }: PassClaim): string {
  const claim = `${ends.getTime()}.${generation}`;
  return `${claim}.${signatureOf(secret, purpose, claim)}`;
}

/** Returns the claim of a pass; null if it is forged, has another purpose or has expired. Doesn't check if it was revoked. */
export function verifyPass(secret: Buffer, purpose: PassPurpose, pass: string, now: Date): PassClaim | null {
  const [, ends, generation, seal] = SHAPE.exec(pass) ?? [];
  if (ends === undefined || generation === undefined || seal === undefined) return null;
  const sealed = signatureOf(secret, purpose, `${ends}.${generation}`);
  const claim = { ends: new Date(Number(ends)), generation: Number(generation) };
  const isAuthentic =
    timingSafeEqual(Buffer.from(seal), Buffer.from(sealed)) && claim.generation < MAX_NUMBER;
  return isAuthentic && claim.ends > now ? claim : null;
}

function signatureOf(secret: Buffer, purpose: PassPurpose, claim: string): string {
  return createHmac('sha256', secret).update(`${purpose}:${claim}`).digest('base64url');
}
