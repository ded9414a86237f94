import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { CODE } from '../../domain/limits.ts';
import type { Env } from '../env.ts';

/**
 * The code that registering needs where the site was asked for under this host; null where none is needed. With neither `SETUP_CODE` nor
 * `PUBLIC_URL` any name may lead here, also one that somebody else's page has turned to this machine (DNS rebinding): under a name it is the
 * installation's own code, which is printed at the start. An address written in numbers, and `localhost`, can't be turned.
 */
export function setupCodeFor(
  { SETUP_CODE, PUBLIC_URL }: Pick<Env, 'SETUP_CODE' | 'PUBLIC_URL'>,
  secret: Buffer,
  host: string | null,
): string | null {
  if (SETUP_CODE !== undefined) return SETUP_CODE;
  return PUBLIC_URL !== undefined || isWrittenInNumbers(host ?? '') ? null : ownCode(secret);
}

/** Is this the code? Spaces around it don't count. */
export function isSetupCode(expected: string, given: string | undefined): boolean {
  return timingSafeEqual(digest(expected), digest((given ?? '').trim()));
}

function isWrittenInNumbers(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/** The same at every start and in every process of the installation: it is made of its secret. */
function ownCode(secret: Buffer): string {
  const bytes = createHmac('sha256', secret).update('setup-code').digest().subarray(0, CODE.length);
  return [...bytes].map((byte) => CODE.alphabet[byte % CODE.alphabet.length]).join('');
}

const digest = (text: string) => createHash('sha256').update(text).digest();
