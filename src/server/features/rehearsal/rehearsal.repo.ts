import type { Db } from '../../db/tables.ts';
import type { RehearsalsSeenTable } from '../../db/workshop-tables.ts';

/** Which pass is the last one made, and until when it is good; null when it was closed. */
export type RehearsalPassRow = { generation: number; scadenza: string | null };

/** The last pass, or undefined while none was ever made. */
export async function findPass(db: Db): Promise<RehearsalPassRow | undefined> {
  return db
    .selectFrom('rehearsal_pass')
    .select(['generation', 'scadenza'])
    .where('id', '=', 1)
    .executeTakeFirst();
}

/** Begins the next generation: no pass made before is good any more. Returns its number. */
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

/** The last pass is good no more; the next one gets a number of its own. */
export async function closeGeneration(tx: Db): Promise<void> {
  await tx.updateTable('rehearsal_pass').set({ scadenza: null }).where('id', '=', 1).execute();
}

/** So many are kept, the newest. */
const KEPT = 20;

/** Keeps one that was seen to its end. */
export async function saveCompleted(tx: Db, row: RehearsalsSeenTable): Promise<void> {
  await tx.insertInto('rehearsals_seen').values(row).execute();
  const latest = tx
    .selectFrom('rehearsals_seen')
    .select('id')
    .where('id', '!=', row.id)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(KEPT - 1);
  await tx.deleteFrom('rehearsals_seen').where('id', '!=', row.id).where('id', 'not in', latest).execute();
}

/** Which evenings were seen to their end on a phone. */
export async function phoneVersions(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('rehearsals_seen').select('version').where('phone', '=', true).execute();
  return rows.map(({ version }) => version);
}
