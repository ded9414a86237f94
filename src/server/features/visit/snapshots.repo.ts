import { statement } from '../../db/statement.ts';
import type { Db } from '../../db/tables.ts';

const byHash = statement<{ hash: string }>()((db, value) =>
  db.selectFrom('visit_snapshots').select('body').where('hash', '=', value.hash),
);

/** Returns the stored snapshot with this hash. Rejects if it is missing. */
export async function findSnapshot(db: Db, hash: string): Promise<string> {
  const [found] = await byHash(db, { hash });
  if (found === undefined) throw new Error(`There is no snapshot ${hash}`);
  return found.body;
}

const findHash = statement<{ hash: string }>()((tx, value) =>
  tx.selectFrom('visit_snapshots').select('hash').where('hash', '=', value.hash),
);

/**
 * Stores the snapshot if it is missing. The caller must hold a code's lock, because erasing locks all codes:
 * otherwise the snapshot could be deleted before the visit refers to it.
 * A cache of stored hashes would be wrong after a rollback or an erasure.
 */
export async function saveSnapshot(tx: Db, { hash, body }: { hash: string; body: string }): Promise<void> {
  if ((await findHash(tx, { hash })).length > 0) return;
  await tx
    .insertInto('visit_snapshots')
    .values({ hash, body })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}
