import { isAPIError } from 'better-auth/api';
import { DAY_MS } from '../../domain/limits.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { AdminSession } from './actor.ts';
import { deleteSession, deleteSessions, touchSession } from './auth.repo.ts';
import { type AuthDeps, type BetterAuth, SESSION_SECONDS } from './better-auth.ts';

const MAX_IDLE_MS = DAY_MS;
/** Resolution of the idle time in ms, so that not every request writes. */
const TOUCH_AFTER_MS = 5 * 60 * 1_000;

/** Returns the session of the cookie in `headers`; null if there is none, if it is older than 7 days or idle for 24 hours. */
export async function readSession(
  auth: BetterAuth,
  deps: AuthDeps,
  headers: Headers,
  { quietly }: { quietly: boolean } = { quietly: false },
): Promise<AdminSession | null> {
  if (!headers.has('cookie')) return null;
  const response = await fetchSession(auth, headers);
  if (!response) return null;
  const { session, user } = response;
  const now = deps.now().getTime();
  const idle = now - new Date(session.updatedAt).getTime();
  const age = now - new Date(session.createdAt).getTime();
  if (idle > MAX_IDLE_MS || age > SESSION_SECONDS * 1_000) {
    await deps.inTransaction((tx) => deleteSession(tx, session.id));
    return null;
  }
  if (idle > TOUCH_AFTER_MS && !quietly)
    await deps.inTransaction((tx) => touchSession(tx, session.id, deps.now()));
  return { user_id: user.id, email: user.email, session_id: session.id };
}

/** A valid administrator session, with the browser's user agent. Times are ISO 8601 in UTC. */
type OpenSession = { id: string; current: boolean; user_agent: string; created_at: string; used_at: string };

/** Returns all valid sessions of the signed-in administrator, last used first; null if `headers` has no valid session. */
export async function activeAdminSessions(
  auth: BetterAuth,
  deps: AuthDeps,
  headers: Headers,
): Promise<OpenSession[] | null> {
  const own = await readSession(auth, deps, headers);
  if (own === null) return null;
  const idleSince = deps.now().getTime() - MAX_IDLE_MS;
  const response = await auth.api.listSessions({ headers });
  return response
    .filter(({ updatedAt }) => new Date(updatedAt).getTime() > idleSince)
    .toSorted((a, b) => new Date(b.updatedAt).getTime() - new Date(a.updatedAt).getTime())
    .map(({ id, userAgent, createdAt, updatedAt }) => ({
      id,
      current: id === own.session_id,
      user_agent: userAgent ?? '',
      created_at: new Date(createdAt).toISOString(),
      used_at: new Date(updatedAt).toISOString(),
    }));
}

/** Returns true if this is the password of the administrator signed in by `headers`. */
export async function isCurrentPassword(
  auth: BetterAuth,
  headers: Headers,
  password: string,
): Promise<boolean> {
  try {
    await auth.api.verifyPassword({ headers, body: { password } });
    return true;
  } catch (error) {
    if (isAPIError(error) && error.body?.code === 'INVALID_PASSWORD') return false;
    throw error;
  }
}

async function fetchSession(auth: BetterAuth, headers: Headers) {
  try {
    return await auth.api.getSession({ headers });
  } catch (error) {
    // better-auth hides the cause, and this read can only fail with the database.
    if (isAPIError(error)) throw new DatabaseUnavailable('The session could not be read', { cause: error });
    throw error;
  }
}

/** Deletes expired sessions that are no longer used. */
export async function deleteExpiredSessions({
  inTransaction,
  now,
}: Pick<AuthDeps, 'inTransaction' | 'now'>): Promise<void> {
  const time = now().getTime();
  const ended = {
    createdBefore: new Date(time - SESSION_SECONDS * 1_000),
    usedBefore: new Date(time - MAX_IDLE_MS),
  };
  await inTransaction((tx) => deleteSessions(tx, ended));
}
