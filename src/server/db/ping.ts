import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { lockCounter, setCounter } from './counters.ts';
import type { Db } from './tables.ts';

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
