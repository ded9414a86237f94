import type { Db } from '../../db/tables.ts';

/** Maximum values per statement, for SQLite. */
const FEW = 500;

/**
 * Records the stored files without a row; forgets those that have one again or were removed.
 * @returns keys without a row since `before`
 */
export async function noteOrphans(
  tx: Db,
  keys: readonly string[],
  { now, before }: { now: Date; before: Date },
): Promise<string[]> {
  const known = await tx.selectFrom('media_orphans').selectAll().execute();
  const lost = new Set(keys);
  await forgetOrphans(
    tx,
    known.flatMap(({ key }) => (lost.has(key) ? [] : [key])),
  );
  for (const some of inParts(keys))
    await tx
      .insertInto('media_orphans')
      .values(some.map((key) => ({ key, seen_at: now.toISOString() })))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  return known.flatMap(({ key, seen_at }) => (lost.has(key) && seen_at <= before.toISOString() ? [key] : []));
}

export async function forgetOrphans(tx: Db, keys: readonly string[]): Promise<void> {
  for (const some of inParts(keys)) await tx.deleteFrom('media_orphans').where('key', 'in', some).execute();
}

function inParts(keys: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(keys.length / FEW) }, (_, part) =>
    keys.slice(part * FEW, (part + 1) * FEW),
  );
}
