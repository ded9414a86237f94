import type { Refusal } from '../refused.ts';
import type { Auth } from './auth-port.ts';

const brand = Symbol('AdminActor');

/** The administrator who is signed in: proof of a checked session, minted only here. */
export type AdminActor = {
  readonly user_id: string;
  readonly email: string;
  readonly session_id: string;
  readonly [brand]: true;
};

/** A session that was found alive. */
export type AdminSession = { user_id: string; email: string; session_id: string };

/** Who is signed in according to these request headers (the session cookie), or null. Counts as activity, unless it is done quietly. */
export async function readAdmin(
  auth: Auth,
  headers: Headers,
  how?: { quietly: boolean },
): Promise<AdminActor | null> {
  const session = await auth.readSession(headers, how);
  return session && { ...session, [brand]: true };
}

type RequestAuth = { deps: { auth: Auth }; headers: Headers };

/** The guard of everything that is the administrator's: see `admin-calls.ts`. */
export async function requireAdmin({
  deps,
  headers,
}: RequestAuth): Promise<AdminActor | Refusal<'SIGN_IN_REQUIRED'>> {
  const actor = await readAdmin(deps.auth, headers);
  return actor ?? { refused: 'SIGN_IN_REQUIRED' };
}

/** Does the session still live, while an answer to it is under way? */
export async function isStillAdmin({ deps, headers }: RequestAuth): Promise<boolean> {
  return (await readAdmin(deps.auth, headers, { quietly: true })) !== null;
}
