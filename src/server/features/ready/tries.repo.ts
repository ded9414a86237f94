import type { Db } from '../../db/tables.ts';
import type { ReadyTriesTable } from '../../db/workshop-tables.ts';

/** Returns the stored results by check id. */
export async function readChecks(db: Db): Promise<Map<string, ReadyTriesTable>> {
  const rows = await db.selectFrom('ready_tries').selectAll().execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function saveCheck(tx: Db, row: ReadyTriesTable): Promise<void> {
  const { id: _id, ...found } = row;
  await tx
    .insertInto('ready_tries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(found))
    .execute();
}

/** Deletes the results of checks that aren't in `ids`: their files left the evening. */
export async function deleteOtherChecks(tx: Db, ids: readonly string[]): Promise<void> {
  const deletion = tx.deleteFrom('ready_tries');
  await (ids.length === 0 ? deletion : deletion.where('id', 'not in', ids)).execute();
}
