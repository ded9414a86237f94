import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isThisMachine } from '../../domain/channels.ts';
import { CODE } from '../../domain/limits.ts';
import type { Env } from '../env.ts';

/**
 * The code that registering needs where the site was asked for under this host; null where none is needed: on an install that only its own
 * machine reaches, asked under a name that can't be led here from elsewhere (DNS rebinding). Without `SETUP_CODE` it is the installation's
 * own code, which is printed at the start.
 */
export function setupCodeFor(env: SetupEnv, secret: Buffer, host: string | null): string | null {
  if (env.SETUP_CODE !== undefined) return env.SETUP_CODE;
  return isLocal(env) && isThisMachine(hostnameOf(`http://${host}`)) ? null : ownCode(secret);
}

type SetupEnv = Pick<Env, 'SETUP_CODE' | 'PUBLIC_URL' | 'HOST'>;

/** Is nothing but this machine known to reach the install? */
const isLocal = ({ HOST, PUBLIC_URL }: SetupEnv) =>
  isThisMachine(HOST) && (PUBLIC_URL === undefined || isThisMachine(hostnameOf(PUBLIC_URL)));

/** Is this the code? Spaces around it don't count. */
export function isSetupCode(expected: string, given: string | undefined): boolean {
  return timingSafeEqual(digest(expected), digest((given ?? '').trim()));
}

/** IPv6 without its brackets. */
const hostnameOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '');

/** The same at every start and in every process of the installation: it is made of its secret. */
function ownCode(secret: Buffer): string {
  const bytes = createHmac('sha256', secret).update('setup-code').digest().subarray(0, CODE.length);
  return [...bytes].map((byte) => CODE.alphabet[byte % CODE.alphabet.length]).join('');
}

const digest = (text: string) => createHash('sha256').update(text).digest();
