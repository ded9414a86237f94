import { REHEARSAL_PASS_MS } from '../../../domain/limits.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { type PassClaim, signPass, verifyPass } from '../../auth/pass.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/https.ts';
import type { Refusal } from '../../refused.ts';
import { beginGeneration, closeGeneration, findPass, type RehearsalPassRow } from './rehearsal.repo.ts';

export type IssuedPass = { pass: string; scadenza: string; public_url: string | null };

/**
 * Returns the pass for other devices and the site address, if known. A valid pass is reused, unless `anew` is true.
 * A new pass is valid for an hour and revokes the one before.
 */
export async function createRehearsalPass(
  deps: Pick<Deps, 'inTransaction' | 'secret' | 'now' | 'env' | 'sharing'>,
  _actor: AdminActor,
  { anew: renew = false }: { anew?: boolean | undefined },
): Promise<IssuedPass> {
  const { inTransaction, secret, now } = deps;
  const claim = await inTransaction(async (tx) => {
    const valid = renew ? null : validClaim(await findPass(tx), now());
    if (valid !== null) return valid;
    const ends = new Date(now().getTime() + REHEARSAL_PASS_MS);
    return { ends, generation: await beginGeneration(tx, ends) };
  });
  return {
    pass: signPass(secret, 'rehearsal', claim),
    scadenza: claim.ends.toISOString(),
    public_url: siteAddress(deps),
  };
}

/** Returns the time until which other devices may enter, or null if they may not. */
export async function passExpiresAt(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  _actor: AdminActor,
): Promise<{ scadenza: string | null }> {
  const valid = validClaim(await findPass(db), now());
  return { scadenza: valid?.ends.toISOString() ?? null };
}

/** Revokes the pass: devices that entered with it are refused from now on. */
export async function revokeRehearsalPass(
  { inTransaction }: Pick<Deps, 'inTransaction'>,
  _actor: AdminActor,
): Promise<void> {
  await inTransaction(closeGeneration);
}

/** Returns the expiry of a presented pass. Refuses a forged, expired or revoked one. */
export async function verifyRehearsalPass(
  { db, secret, now }: Pick<Deps, 'db' | 'secret' | 'now'>,
  pass: string,
): Promise<{ ends: Date } | Refusal<'REHEARSAL_OVER'>> {
  const claim = verifyPass(secret, 'rehearsal', pass, now());
  // A forged or expired pass needs no query.
  const valid = claim === null ? null : validClaim(await findPass(db), now());
  if (claim === null || claim.generation !== valid?.generation) return { refused: 'REHEARSAL_OVER' };
  return { ends: claim.ends };
}

function validClaim(stored: RehearsalPassRow | undefined, now: Date): PassClaim | null {
  if (stored === undefined || stored.scadenza === null) return null;
  const ends = new Date(stored.scadenza);
  return ends > now ? { ends, generation: stored.generation } : null;
}
