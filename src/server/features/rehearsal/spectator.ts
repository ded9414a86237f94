import { readAdmin } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import { verifyRehearsalPass } from './pass.service.ts';

const brand = Symbol('Spectator');

/** Permission to watch the rehearsal and nothing else, for the administrator or the holder of a pass. Created only in this file. */
export type Spectator = { readonly as: 'admin' | 'guest'; readonly [brand]: true };

type RehearsalRequest = {
  deps: Pick<Deps, 'auth' | 'db' | 'secret' | 'now'>;
  headers: Headers;
  cookies: { rehearsal: string | null };
};

/** Guards every call of the rehearsal. Ignores visitor cookies. */
export async function requireSpectator(
  { deps, headers, cookies }: RehearsalRequest,
  options?: { quietly: boolean },
): Promise<Spectator | Refusal<'SIGN_IN_REQUIRED' | 'REHEARSAL_OVER'>> {
  if ((await readAdmin(deps.auth, headers, options)) !== null) return spectator('admin');
  if (cookies.rehearsal === null) return { refused: 'SIGN_IN_REQUIRED' };
  const accepted = await verifyRehearsalPass(deps, cookies.rehearsal);
  return isRefused(accepted) ? accepted : spectator('guest');
}

/** Returns true if the guard still admits the same spectator. Rechecked during a transfer. */
export async function isStillSpectator(request: RehearsalRequest, { as }: Spectator): Promise<boolean> {
  const now = await requireSpectator(request, { quietly: true });
  return !isRefused(now) && now.as === as;
}

function spectator(as: Spectator['as']): Spectator {
  return { as, [brand]: true };
}
