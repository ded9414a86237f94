import { statement } from '../../db/statement.ts';
import type { Db } from '../../db/tables.ts';

const byHash = statement<{ hash: string }>()((db, value) =>
  db.selectFrom('visit_snapshots').select('body').where('hash', '=', value.hash),
);

/** What visits with this hash began with, as it is stored. Rejects where there is none. */
export async function findSnapshot(db: Db, hash: string): Promise<string> {
  const [found] = await byHash(db, { hash });
  if (found === undefined) throw new Error(`There is no snapshot ${hash}`);
  return found.body;
}

const isThere = statement<{ hash: string }>()((tx, value) =>
  tx.selectFrom('visit_snapshots').select('hash').where('hash', '=', value.hash),
);

/**
 * Keeps it, if it isn't kept. To be asked with a code held, as erasing holds them all: nobody takes it away between this look and the visit that refers
 * to it. Who remembers here that it is there would be wrong once the work is undone, or the evening erased.
 */
export async function keepSnapshot(tx: Db, { hash, body }: { hash: string; body: string }): Promise<void> {
  if ((await isThere(tx, { hash })).length > 0) return;
  await tx
    .insertInto('visit_snapshots')
    .values({ hash, body })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}
