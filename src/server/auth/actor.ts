import type { Refused } from '../refused.ts';
import type { Auth } from './auth-port.ts';

declare const brand: unique symbol;

/** The administrator who is signed in: proof of a checked session, minted only here. */
export type AdminActor = {
  readonly user_id: string;
  readonly email: string;
  readonly session_id: string;
  readonly [brand]: 'AdminActor';
};

/** A session that was found alive. */
export type SignedIn = { user_id: string; email: string; session_id: string };

/** Who is signed in according to these request headers (the session cookie), or null. */
export async function readAdmin(auth: Auth, headers: Headers): Promise<AdminActor | null> {
  const session = await auth.readSession(headers);
  return session && (session as AdminActor);
}

/** The guard of every administrator's call: `orRefuse(await requireAdmin(context), errors)`. */
export async function requireAdmin(context: {
  deps: { auth: Auth };
  headers: Headers;
}): Promise<AdminActor | Refused<'SIGN_IN_REQUIRED'>> {
  const actor = await readAdmin(context.deps.auth, context.headers);
  return actor ?? { refused: 'SIGN_IN_REQUIRED' };
}
