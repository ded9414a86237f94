import type { Deps } from '../deps.ts';
import { type Refusal, refuse } from '../refused.ts';
import type { Auth } from './auth-port.ts';

const brand = Symbol('AdminActor');

/** The signed-in administrator: proof of a checked session, created only here. */
export type AdminActor = {
  readonly user_id: string;
  readonly email: string;
  readonly session_id: string;
  readonly [brand]: true;
};

/** First argument of the administrator's services. Only the guard can create one. */
export type AdminCtx = Deps & { actor: AdminActor };

/** A valid session. */
export type AdminSession = { user_id: string; email: string; session_id: string };

/** Returns the administrator signed in by the session cookie in `headers`, or null. Counts as activity unless `quietly` is set. */
export async function readAdmin(
  auth: Auth,
  headers: Headers,
  options?: { quietly: boolean },
): Promise<AdminActor | null> {
  const session = await auth.readSession(headers, options);
  return session && { ...session, [brand]: true };
}

type RequestAuth = { deps: { auth: Auth }; headers: Headers };

/** Guards all administrator endpoints: see `admin-calls.ts`. */
export async function requireAdmin({
  deps,
  headers,
}: RequestAuth): Promise<{ actor: AdminActor } | Refusal<'SIGN_IN_REQUIRED'>> {
  const actor = await readAdmin(deps.auth, headers);
  return actor === null ? refuse('SIGN_IN_REQUIRED') : { actor };
}

/** Returns true if the session is still valid, during a response. */
export async function isStillAdmin({ deps, headers }: RequestAuth): Promise<boolean> {
  return (await readAdmin(deps.auth, headers, { quietly: true })) !== null;
}
