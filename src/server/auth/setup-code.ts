import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isThisMachine } from '../../domain/channels.ts';
import { CODE } from '../../domain/limits.ts';
import type { Env } from '../env.ts';

/**
 * Returns the code that registration requires under this host: `SETUP_CODE`, or the install's own code printed at startup. Returns null if
 * none is required: only this machine reaches the install, and the host name can't be pointed here from elsewhere (DNS rebinding).
 */
export function setupCodeFor(env: SetupEnv, secret: Buffer, host: string | null): string | null {
  if (env.SETUP_CODE !== undefined) return env.SETUP_CODE;
  return isLocal(env) && isThisMachine(hostnameOf(`http://${host}`)) ? null : derivedCode(secret);
}

type SetupEnv = Pick<Env, 'SETUP_CODE' | 'PUBLIC_URL' | 'HOST'>;

/** Returns true if only this machine is known to reach the install. */
const isLocal = ({ HOST, PUBLIC_URL }: SetupEnv) =>
  isThisMachine(HOST) && (PUBLIC_URL === undefined || isThisMachine(hostnameOf(PUBLIC_URL)));

/** Returns true if the code is correct. Surrounding spaces are ignored. */
export function isSetupCode(expected: string, input: string | undefined): boolean {
  return timingSafeEqual(digest(expected), digest((input ?? '').trim()));
}

/** Returns the host name of a URL; IPv6 without brackets. */
const hostnameOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '');

/** Derives the code from the install's secret: equal at every start and in all its processes. */
function derivedCode(secret: Buffer): string {
  const bytes = createHmac('sha256', secret).update('setup-code').digest().subarray(0, CODE.length);
  return [...bytes].map((byte) => CODE.alphabet[byte % CODE.alphabet.length]).join('');
}

const digest = (text: string) => createHash('sha256').update(text).digest();
