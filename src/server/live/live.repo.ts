import type { Db } from '../db/tables.ts';

export type SessionState = {
  id: string;
  completed_at: string | null;
  disconnection_reason: string | null;
};

/** How these sessions stand now; one that no longer exists is left out. */
export async function readStates(db: Db, ids: readonly string[]): Promise<SessionState[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('active_sessions')
    .select(['id', 'completed_at', 'disconnection_reason'])
    .where('id', 'in', ids)
    .execute();
}

/** The handle a disconnected visitor is shown. */
export async function readContact(db: Db): Promise<string | null> {
  const row = await db.selectFrom('admin_config').select('contatto').executeTakeFirst();
  return row?.contatto ?? null;
}
