import { createHmac, timingSafeEqual } from 'node:crypto';
import { REHEARSAL_PASS_MS } from '../../../domain/limits.ts';

/** A pass for the rehearsal: when it ends and the installation's seal on it. Stored nowhere; it opens nothing else. */
export type Pass = { pass: string; ends: Date };

const SHAPE = /^(\d{13})\.([A-Za-z0-9_-]{43})$/;

/** A pass that is good from `now` on for an hour. */
export function newPass(secret: Buffer, now: Date): Pass {
  const ends = now.getTime() + REHEARSAL_PASS_MS;
  return { pass: `${ends}.${sealOf(secret, String(ends))}`, ends: new Date(ends) };
}

/** When this pass ends; null when it isn't one of ours or has ended. */
export function passEnds(secret: Buffer, pass: string, now: Date): Date | null {
  const [, ends, seal] = SHAPE.exec(pass) ?? [];
  if (ends === undefined || seal === undefined) return null;
  const ours = timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(secret, ends)));
  return ours && Number(ends) > now.getTime() ? new Date(Number(ends)) : null;
}

/** The purpose is part of what is sealed: nothing else that this key seals can be taken for a pass, nor a pass for it. */
function sealOf(secret: Buffer, ends: string): string {
  return createHmac('sha256', secret).update(`rehearsal:${ends}`).digest('base64url');
}
