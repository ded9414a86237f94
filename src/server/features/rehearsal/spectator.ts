import { readAdmin } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import { verifyRehearsalPass } from './pass.service.ts';

const brand = Symbol('Spectator');

/** Somebody who may watch the rehearsal, and nothing more: the administrator, or the holder of a pass. Minted only here. */
export type Spectator = { readonly as: 'admin' | 'guest'; readonly [brand]: true };

type RehearsalRequest = {
  deps: Pick<Deps, 'auth' | 'db' | 'secret' | 'now'>;
  headers: Headers;
  cookies: { rehearsal: string | null };
};

/** The guard of everything of the rehearsal. A visitor's cookie means nothing to it. */
export async function requireSpectator(
  { deps, headers, cookies }: RehearsalRequest,
  how?: { quietly: boolean },
): Promise<Spectator | Refusal<'SIGN_IN_REQUIRED' | 'REHEARSAL_OVER'>> {
  if ((await readAdmin(deps.auth, headers, how)) !== null) return spectator('admin');
  if (cookies.rehearsal === null) return { refused: 'SIGN_IN_REQUIRED' };
  const accepted = await verifyRehearsalPass(deps, cookies.rehearsal);
  return isRefused(accepted) ? accepted : spectator('guest');
}

/** Would the guard still let the same spectator in, while an answer is under way? */
export async function isStillSpectator(asking: RehearsalRequest, { as }: Spectator): Promise<boolean> {
  const now = await requireSpectator(asking, { quietly: true });
  return !isRefused(now) && now.as === as;
}

function spectator(as: Spectator['as']): Spectator {
  return { as, [brand]: true };
}
