import type { Db } from '../../db/tables.ts';

/** Which pass is the last one made, and until when it is good; null when it was closed. */
export type KeptPass = { generation: number; scadenza: string | null };

/** The last pass, or undefined while none was ever made. */
export async function findPass(db: Db): Promise<KeptPass | undefined> {
  return db
    .selectFrom('rehearsal_pass')
    .select(['generation', 'scadenza'])
    .where('id', '=', 1)
    .executeTakeFirst();
}

/** Begins the next generation: no pass made before is good any more. Returns its number. */
export async function startPass(tx: Db, ends: Date): Promise<number> {
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
export async function endPass(tx: Db): Promise<void> {
  await tx.updateTable('rehearsal_pass').set({ scadenza: null }).where('id', '=', 1).execute();
}
