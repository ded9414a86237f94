import type { Db, RehearsalsSeenTable } from '../../db/tables.ts';

/** Number and expiry of the newest pass; the expiry is null if it was revoked. */
export type RehearsalPassRow = { generation: number; scadenza: string | null };

/** Returns the newest pass, or undefined if there never was one. */
export async function findPass(db: Db): Promise<RehearsalPassRow | undefined> {
  return db
    .selectFrom('rehearsal_pass')
    .select(['generation', 'scadenza'])
    .where('id', '=', 1)
    .executeTakeFirst();
}

/** Begins the next generation and returns its number. Earlier passes become invalid. */
export async function beginGeneration(tx: Db, ends: Date): Promise<number> {
  const scadenza = ends.toISOString();
  const { generation } = await tx
    .insertInto('rehearsal_pass')
    .values({ id: 1, generation: 1, scadenza })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((set) => ({ generation: set('rehearsal_pass.generation', '+', 1), scadenza })),
    )
    .returning('generation')
    .executeTakeFirstOrThrow();
  return generation;
}

/** Revokes the newest pass. The next one has another number. */
export async function closeGeneration(tx: Db): Promise<void> {
  await tx.updateTable('rehearsal_pass').set({ scadenza: null }).where('id', '=', 1).execute();
}

/** Maximum number of stored completed rehearsals, newest first. */
const MAX_COMPLETED = 20;

/** Stores a rehearsal that was watched to its end. */
export async function saveCompleted(tx: Db, row: RehearsalsSeenTable): Promise<void> {
  await tx.insertInto('rehearsals_seen').values(row).execute();
  const latest = tx
    .selectFrom('rehearsals_seen')
    .select('id')
    .where('id', '!=', row.id)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(MAX_COMPLETED - 1);
  await tx.deleteFrom('rehearsals_seen').where('id', '!=', row.id).where('id', 'not in', latest).execute();
}

/** Returns the content versions that were watched to their end on a phone. */
export async function phoneVersions(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('rehearsals_seen').select('version').where('phone', '=', true).execute();
  return rows.map(({ version }) => version);
}
