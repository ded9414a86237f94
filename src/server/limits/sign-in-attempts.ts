import type { ErrorCode } from '../../contract/errors.ts';
import { FAILED_SIGN_INS } from '../../domain/limits.ts';
import type { Deps } from '../deps.ts';
import { isRefused, type Refusal } from '../refused.ts';
import { limitKeyOf, networkLimits, tooManyAttempts } from './attempts.ts';
import { clearFailures, type LimitKeys, recordFailure } from './failures.repo.ts';

/** Refusals of a failed attempt. */
const WRONG: ReadonlySet<ErrorCode> = new Set(['BAD_CREDENTIALS', 'SETUP_CODE_WRONG']);

export const isWrongCredential = ({ refused }: Refusal): boolean => WRONG.has(refused);

/** Returns the counters of an attempt: that of a device that has signed in before (its id), otherwise those of its networks. */
export function signInLimitKeys(secret: Buffer, address: string, device: string | null): LimitKeys {
  if (device === null) return networkLimits('sign-in', secret, address, FAILED_SIGN_INS);
  return [{ ...limitKeyOf('sign-in', secret, `device:${device}`, FAILED_SIGN_INS.device), isKnown: true }];
}

/**
 * Runs a sign-in attempt within the limits, and counts its failure before the result is sent. A success clears the failures of the client's
 * own counter.
 */
export function limitSignIn<T extends object>(
  { rateLimiter, inTransaction, now }: Pick<Deps, 'rateLimiter' | 'inTransaction' | 'now'>,
  keys: LimitKeys,
  work: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  return rateLimiter.run(keys, async () => {
    const result = await work();
    if (!isRefused(result)) await inTransaction((tx) => clearFailures(tx, keys.slice(-1)));
    else if (isWrongCredential(result)) {
      const wait = await inTransaction((tx) => recordFailure(tx, keys, now));
      if (wait > 0) return tooManyAttempts(wait);
    }
    return result;
  });
}
