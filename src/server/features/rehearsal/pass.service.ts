import { REHEARSAL_PASS_MS } from '../../../domain/limits.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { type PassClaim, signPass, verifyPass } from '../../auth/pass.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/https.ts';
import type { Refusal } from '../../refused.ts';
import { beginGeneration, closeGeneration, findPass, type RehearsalPassRow } from './rehearsal.repo.ts';

export type GivenPass = { pass: string; scadenza: string; public_url: string | null };

/**
 * The pass for other devices, and where they find the site, if the installation knows. It is the one that is still good, or else a new
 * one, good for an hour; asked for `anew` it is a new one in any case, and the one before is good no more.
 */
export async function createRehearsalPass(
  deps: Pick<Deps, 'inTransaction' | 'secret' | 'now' | 'env' | 'sharing'>,
  _actor: AdminActor,
  { anew = false }: { anew?: boolean | undefined },
): Promise<GivenPass> {
  const { inTransaction, secret, now } = deps;
  const claim = await inTransaction(async (tx) => {
    const good = anew ? null : goodClaim(await findPass(tx), now());
    if (good !== null) return good;
    const ends = new Date(now().getTime() + REHEARSAL_PASS_MS);
    return { ends, generation: await beginGeneration(tx, ends) };
  });
  return {
    pass: signPass(secret, 'rehearsal', claim),
    scadenza: claim.ends.toISOString(),
    public_url: siteAddress(deps),
  };
}

/** Until when other devices may come in; null when they may not. */
export async function passExpiresAt(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  _actor: AdminActor,
): Promise<{ scadenza: string | null }> {
  const good = goodClaim(await findPass(db), now());
  return { scadenza: good?.ends.toISOString() ?? null };
}

/** Takes the pass back: whoever came in with it is refused from now on. */
export async function revokeRehearsalPass(
  { inTransaction }: Pick<Deps, 'inTransaction'>,
  _actor: AdminActor,
): Promise<void> {
  await inTransaction(closeGeneration);
}

/** When a pass that somebody brings ends; refused when it is none of ours, has ended or was taken back. */
export async function verifyRehearsalPass(
  { db, secret, now }: Pick<Deps, 'db' | 'secret' | 'now'>,
  pass: string,
): Promise<{ ends: Date } | Refusal<'REHEARSAL_OVER'>> {
  const claim = verifyPass(secret, 'rehearsal', pass, now());
  // What isn't ours is refused without asking anybody.
  const good = claim === null ? null : goodClaim(await findPass(db), now());
  if (claim === null || claim.generation !== good?.generation) return { refused: 'REHEARSAL_OVER' };
  return { ends: claim.ends };
}

function goodClaim(kept: RehearsalPassRow | undefined, now: Date): PassClaim | null {
  if (kept === undefined || kept.scadenza === null) return null;
  const ends = new Date(kept.scadenza);
  return ends > now ? { ends, generation: kept.generation } : null;
}
