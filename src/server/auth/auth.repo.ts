import type { Db } from '../db/tables.ts';

/** Columns of better-auth's tables that are used without it. Its dates are text on SQLite and dates on PostgreSQL. */
type AuthTables = {
  user: { id: string; email: string };
  session: { id: string; userId: string; createdAt: string; updatedAt: string };
  account: { id: string; userId: string; providerId: string; password: string | null; updatedAt: string };
};

const withAuthTables = (db: Db) => db.withTables<AuthTables>();

/** Returns true if an administrator has registered. */
export async function userExists(db: Db): Promise<boolean> {
  const row = await withAuthTables(db).selectFrom('user').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** An install with a row in one of these tables isn't new. */
const CONTENT_TABLES = ['admin_config', 'tokens', 'media', 'active_sessions'] as const;

/** Returns true if there is no administrator and no content. */
export async function isNewInstall(db: Db): Promise<boolean> {
  if (await userExists(db)) return false;
  for (const table of CONTENT_TABLES) {
    const row = await db.selectFrom(table).select('id').limit(1).executeTakeFirst();
    if (row !== undefined) return false;
  }
  return true;
}

export async function findUserId(db: Db, email: string): Promise<string | null> {
  const row = await withAuthTables(db)
    .selectFrom('user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Stores the time of the session's last use; idle time counts from it. */
export async function touchSession(db: Db, session_id: string, now: Date): Promise<void> {
  await withAuthTables(db)
    .updateTable('session')
    .set({ updatedAt: now.toISOString() })
    .where('id', '=', session_id)
    .execute();
}

export async function deleteSession(db: Db, session_id: string): Promise<void> {
  await withAuthTables(db).deleteFrom('session').where('id', '=', session_id).execute();
}

/** Sets the user's password and deletes all sessions of the user. Returns false if the user has no password account. */
export async function replacePassword(tx: Db, user_id: string, hash: string, now: Date): Promise<boolean> {
  const auth = withAuthTables(tx);
  const result = await auth
    .updateTable('account')
    .set({ password: hash, updatedAt: now.toISOString() })
    .where('userId', '=', user_id)
    .where('providerId', '=', 'credential')
    .executeTakeFirst();
  await auth.deleteFrom('session').where('userId', '=', user_id).execute();
  return Number(result.numUpdatedRows) > 0;
}

/** Deletes sessions created or last used before these times. */
export async function deleteSessions(
  tx: Db,
  { createdBefore, usedBefore }: { createdBefore: Date; usedBefore: Date },
): Promise<void> {
  await withAuthTables(tx)
    .deleteFrom('session')
    .where((eb) =>
      eb.or([
        eb('createdAt', '<', createdBefore.toISOString()),
        eb('updatedAt', '<', usedBefore.toISOString()),
      ]),
    )
    .execute();
}
