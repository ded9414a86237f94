import type { Insertable, Updateable } from 'kysely';
import type { Db, KeepsakesTable } from '../../db/tables.ts';
import { GUARD_FIELDS } from './sessions.repo.ts';

/** Records that a device may return to its evening, once for each visit. */
export async function insertKeepsake(tx: Db, keepsake: Insertable<KeepsakesTable>): Promise<void> {
  await tx
    .insertInto('keepsakes')
    .values(keepsake)
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute();
}

export async function hasKeepsake(db: Db, session_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('keepsakes')
    .select('session_id')
    .where('session_id', '=', session_id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keepsakes whose code exists and is active. */
const withActiveCode = (db: Db) =>
  db
    .selectFrom('keepsakes')
    .innerJoin('active_sessions', 'active_sessions.id', 'keepsakes.session_id')
    .innerJoin('tokens', 'tokens.id', 'active_sessions.token_id')
    .where('tokens.attivo', '=', true);

/** Returns the visit that the device with this cookie finished, with its keepsake. Undefined if the code is deleted or inactive. */
export async function findByKeepsakeCookie(db: Db, cookie_hash: string) {
  return withActiveCode(db)
    .select(GUARD_FIELDS)
    .select(['device_id', 'open_until', 'reply', 'replied_at'])
    .where('keepsakes.cookie_hash', '=', cookie_hash)
    .executeTakeFirst();
}
export type KeepsakeVisit = NonNullable<Awaited<ReturnType<typeof findByKeepsakeCookie>>>;

/** Returns the distinct snapshot hashes of these visits. */
export async function snapshotsOfKeepsakes(db: Db): Promise<string[]> {
  const rows = await withActiveCode(db).select('snapshot_hash').distinct().execute();
  return rows.map(({ snapshot_hash }) => snapshot_hash);
}

export async function updateKeepsake(
  tx: Db,
  session_id: string,
  change: Pick<Updateable<KeepsakesTable>, 'open_until' | 'reply' | 'replied_at'>,
): Promise<void> {
  await tx.updateTable('keepsakes').set(change).where('session_id', '=', session_id).execute();
}
