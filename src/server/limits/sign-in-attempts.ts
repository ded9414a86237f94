import type { ErrorCode } from '../../contract/errors.ts';
import { FAILED_SIGN_INS } from '../../domain/limits.ts';
import type { Deps } from '../deps.ts';
import { isRefused, type Refused } from '../refused.ts';
import { counterOf, networkTries, tooMany } from './attempts.ts';
import { countFailure, forgive, type Guesser } from './failures.repo.ts';

/** What is said to who has guessed wrong. */
const WRONG: ReadonlySet<ErrorCode> = new Set(['BAD_CREDENTIALS', 'SETUP_CODE_WRONG']);

export const isWrongGuess = ({ refused }: Refused): boolean => WRONG.has(refused);

/** Whose guesses are counted together: those of a device that has signed in before (its id), else those of an address's networks. */
export function signInGuesser(secret: Buffer, address: string, device: string | null): Guesser {
  if (device === null) return networkTries('sign-in', secret, address, FAILED_SIGN_INS);
  return [{ ...counterOf('sign-in', secret, `device:${device}`, FAILED_SIGN_INS.device), isKnown: true }];
}

/**
 * Lets somebody guess when their own wrong guesses allow it, in their turn at the heavy work, and counts a guess that was wrong: what came of
 * it is told only then. A right one is their own wrong ones' end.
 */
export function attemptSignIn<T extends object>(
  { tries, inTransaction, now }: Pick<Deps, 'tries' | 'inTransaction' | 'now'>,
  guesser: Guesser,
  work: () => Promise<T | Refused>,
): Promise<T | Refused> {
  return tries.run(guesser, async () => {
    const outcome = await work();
    if (!isRefused(outcome)) await inTransaction((tx) => forgive(tx, guesser.slice(-1)));
    else if (isWrongGuess(outcome)) {
      const wait = await inTransaction((tx) => countFailure(tx, guesser, now));
      if (wait > 0) return tooMany(wait);
    }
    return outcome;
  });
}
