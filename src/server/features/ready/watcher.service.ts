import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { FAILED_SIGN_INS } from '../../../domain/limits.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { networkTries, tooMany } from '../../limits/attempts.ts';
import { countFailure } from '../../limits/failures.repo.ts';
import { announce } from '../../live/announce.ts';
import type { Refused } from '../../refused.ts';
import { changeWatch, ensureWatch, findWatch } from './watch.repo.ts';

type ChangeDeps = Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>;

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

/** A new key to ask from outside, told this once; the one before is good no more. */
export async function makeKey(deps: ChangeDeps, _actor: AdminActor): Promise<{ key: string }> {
  const key = `pronta_${randomBytes(32).toString('base64url')}`;
  await deps.inTransaction(async (tx) => {
    await ensureWatch(tx, deps.now());
    await changeWatch(tx, { key_hash: hashOf(key), key_at: deps.now().toISOString() });
  });
  announce(deps, 'ready');
  return { key };
}

/** From now on nobody may ask from outside. */
export async function withdrawKey(deps: ChangeDeps, _actor: AdminActor): Promise<void> {
  await deps.inTransaction((tx) => changeWatch(tx, { key_hash: null, key_at: null }));
  announce(deps, 'ready');
}

type KeyDeps = Pick<Deps, 'db' | 'inTransaction' | 'secret' | 'tries' | 'now'>;

/** Lets in who brings the key that is good now; wrong ones are counted as wrong passwords are, by themselves. */
export function acceptKey(
  { db, inTransaction, secret, tries, now }: KeyDeps,
  { key, address }: { key: string; address: string },
): Promise<object | Refused<'SIGN_IN_REQUIRED' | 'TOO_MANY_ATTEMPTS'>> {
  const guesser = networkTries('key', secret, address, FAILED_SIGN_INS);
  return tries.run<object | Refused<'SIGN_IN_REQUIRED' | 'TOO_MANY_ATTEMPTS'>>(guesser, async () => {
    const kept = (await findWatch(db))?.key_hash ?? null;
    if (kept !== null && timingSafeEqual(Buffer.from(kept), Buffer.from(hashOf(key)))) return {};
    const wait = await inTransaction((tx) => countFailure(tx, guesser, now));
    return wait > 0 ? tooMany(wait) : { refused: 'SIGN_IN_REQUIRED' };
  });
}
