import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import type { Db } from './tables.ts';

/** A row of `rate_limits`; the time in ms since 1970. */
export type CounterRow = { points: number; resets_at: number };

export async function readCounter(db: Db, key: string): Promise<CounterRow | null> {
  const row = await db
    .selectFrom('rate_limits')
    .select(['points', 'resets_at'])
    .where('key', '=', key)
    .executeTakeFirst();
  return row ? { points: row.points, resets_at: Date.parse(row.resets_at) } : null;
}

/** Locks a counter until the transaction ends; creates it (0, now) if missing. */
export async function lockCounter(tx: Db, key: string, now: Date): Promise<CounterRow> {
  const row = await tx
    .insertInto('rate_limits')
    .values({ key, points: 0, resets_at: now.toISOString() })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(['points', 'resets_at'])
    .executeTakeFirstOrThrow();
  return { points: row.points, resets_at: Date.parse(row.resets_at) };
}

export async function setCounter(tx: Db, key: string, points: number, resets_at: number): Promise<void> {
  await tx
    .updateTable('rate_limits')
    .set({ points, resets_at: new Date(resets_at).toISOString() })
    .where('key', '=', key)
    .execute();
}

export async function removeCounter(tx: Db, key: string): Promise<void> {
  await tx.deleteFrom('rate_limits').where('key', '=', key).execute();
}

/** Resolves when the database answers. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Returns PostgreSQL's current time in ms since 1970, not that of the transaction's start. */
export async function readClock(db: Db): Promise<number> {
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;
  const { ms } = await db.selectNoFrom(now.as('ms')).executeTakeFirstOrThrow();
  return ms;
}

/** Row of `rate_limits` that is written to test whether writes succeed. */
const PROBE = 'readyz';

/** Resolves when a write is committed. */
export async function tryWrite({ inTransaction, now }: Pick<Deps, 'inTransaction' | 'now'>): Promise<void> {
  await inTransaction(async (tx) => {
    await lockCounter(tx, PROBE, now());
    await setCounter(tx, PROBE, 0, now().getTime());
  });
}
