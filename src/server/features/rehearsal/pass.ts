import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a pass for the rehearsal says: when it ends, and which of the installation's passes it is. */
export type PassClaim = { ends: Date; generation: number };

const SHAPE = /^(\d{13})\.(\d{1,10})\.([A-Za-z0-9_-]{43})$/;

/** The pass itself: its claim under the installation's seal. Stored nowhere; it opens nothing else. */
export function sealedPass(secret: Buffer, { ends, generation }: PassClaim): string {
  const claim = `${ends.getTime()}.${generation}`;
  return `${claim}.${sealOf(secret, claim)}`;
}

/** What this pass says; null when it isn't one of ours or has ended. Whether it has been taken back is not written in it. */
export function readPass(secret: Buffer, pass: string, now: Date): PassClaim | null {
  const [, ends, generation, seal] = SHAPE.exec(pass) ?? [];
  if (ends === undefined || generation === undefined || seal === undefined) return null;
  const ours = timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(secret, `${ends}.${generation}`)));
  const claim = { ends: new Date(Number(ends)), generation: Number(generation) };
  return ours && claim.ends > now ? claim : null;
}

/** The purpose is part of what is sealed: nothing else that this key seals can be taken for a pass, nor a pass for it. */
function sealOf(secret: Buffer, claim: string): string {
  return createHmac('sha256', secret).update(`rehearsal:${claim}`).digest('base64url');
}
