import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** What a pass says: when it ends, and which of the installation's passes for that purpose it is. */
export type PassClaim = { ends: Date; generation: number };

/** What a pass opens. It is part of what is sealed: one for this can't be taken for one for that, nor for anything else this key seals. */
export type PassPurpose = 'rehearsal' | 'diagnosis' | 'share';

/** A pass has a number that the database keeps in 32 bits. */
const NUMBERS = 2 ** 31;

const SHAPE = /^(\d{13})\.(\d{1,10})\.([A-Za-z0-9_-]{43})$/;

/** The number of a new pass among several: drawn, so that one that was taken back never comes again. */
export const randomPassNumber = (): number => randomInt(1, NUMBERS);

/** The pass itself: its claim under the installation's seal. Stored nowhere; it opens nothing else. */
export function signPass(secret: Buffer, purpose: PassPurpose, { ends, generation }: PassClaim): string {
  const claim = `${ends.getTime()}.${generation}`;
  return `${claim}.${sealOf(secret, purpose, claim)}`;
}

/** What this pass says; null when it isn't one of ours for this purpose or has ended. Whether it has been taken back is not written in it. */
export function verifyPass(secret: Buffer, purpose: PassPurpose, pass: string, now: Date): PassClaim | null {
  const [, ends, generation, seal] = SHAPE.exec(pass) ?? [];
  if (ends === undefined || generation === undefined || seal === undefined) return null;
  const sealed = sealOf(secret, purpose, `${ends}.${generation}`);
  const claim = { ends: new Date(Number(ends)), generation: Number(generation) };
  const isOurs = timingSafeEqual(Buffer.from(seal), Buffer.from(sealed)) && claim.generation < NUMBERS;
  return isOurs && claim.ends > now ? claim : null;
}

function sealOf(secret: Buffer, purpose: PassPurpose, claim: string): string {
  return createHmac('sha256', secret).update(`${purpose}:${claim}`).digest('base64url');
}
