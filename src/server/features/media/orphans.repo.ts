import type { Db } from '../../db/tables.ts';

/** Maximum values per statement, for SQLite. */
const BATCH_SIZE = 500;

/**
 * Records the stored files without a row; forgets those that have one again or were removed.
 * @returns keys without a row since `before`
 */
export async function noteOrphans(
  tx: Db,
  keys: readonly string[],
  { now, before }: { now: Date; before: Date },
): Promise<string[]> {
  const recorded = await tx.selectFrom('media_orphans').selectAll().execute();
  const lost = new Set(keys);
  await forgetOrphans(
    tx,
    recorded.flatMap(({ key }) => (lost.has(key) ? [] : [key])),
  );
  for (const batch of inBatches(keys))
    await tx
      .insertInto('media_orphans')
      .values(batch.map((key) => ({ key, seen_at: now.toISOString() })))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  return recorded.flatMap(({ key, seen_at }) =>
    lost.has(key) && seen_at <= before.toISOString() ? [key] : [],
  );
}

export async function forgetOrphans(tx: Db, keys: readonly string[]): Promise<void> {
  for (const batch of inBatches(keys))
    await tx.deleteFrom('media_orphans').where('key', 'in', batch).execute();
}

function inBatches(keys: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(keys.length / BATCH_SIZE) }, (_, part) =>
    keys.slice(part * BATCH_SIZE, (part + 1) * BATCH_SIZE),
  );
}
