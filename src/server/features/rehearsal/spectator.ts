import { readAdmin } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { acceptPass } from './pass.service.ts';

const brand = Symbol('Spectator');

/** Somebody who may watch the rehearsal, and nothing more: the administrator, or the holder of a pass. Minted only here. */
export type Spectator = { readonly as: 'admin' | 'guest'; readonly [brand]: true };

type Asking = {
  deps: Pick<Deps, 'auth' | 'db' | 'secret' | 'now'>;
  headers: Headers;
  cookies: { rehearsal: string | null };
};

/** The guard of everything of the rehearsal. A visitor's cookie means nothing to it. */
export async function requireSpectator(
  { deps, headers, cookies }: Asking,
  how?: { quietly: boolean },
): Promise<Spectator | Refused<'SIGN_IN_REQUIRED' | 'REHEARSAL_OVER'>> {
  if ((await readAdmin(deps.auth, headers, how)) !== null) return spectator('admin');
  if (cookies.rehearsal === null) return { refused: 'SIGN_IN_REQUIRED' };
  const accepted = await acceptPass(deps, cookies.rehearsal);
  return isRefused(accepted) ? accepted : spectator('guest');
}

/** Would the guard still let the same spectator in, while an answer is under way? */
export async function isStillSpectator(asking: Asking, { as }: Spectator): Promise<boolean> {
  const now = await requireSpectator(asking, { quietly: true });
  return !isRefused(now) && now.as === as;
}

function spectator(as: Spectator['as']): Spectator {
  return { as, [brand]: true };
}
