import type { Db } from '../../db/tables.ts';
import type { ReadyTriesTable } from '../../db/workshop-tables.ts';

/** What was found by trying, and when. */
export async function readChecks(db: Db): Promise<Map<string, ReadyTriesTable>> {
  const rows = await db.selectFrom('ready_tries').selectAll().execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Keeps what was found in place of what was found there before. */
export async function saveCheck(tx: Db, row: ReadyTriesTable): Promise<void> {
  const { id: _id, ...found } = row;
  await tx
    .insertInto('ready_tries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(found))
    .execute();
}

/** Forgets what is no part of the evening any more. */
export async function deleteOtherChecks(tx: Db, ids: readonly string[]): Promise<void> {
  const rest = tx.deleteFrom('ready_tries');
  await (ids.length === 0 ? rest : rest.where('id', 'not in', ids)).execute();
}
