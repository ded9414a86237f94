import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { lockCounter, setCounter } from './counters.ts';
import type { Db } from './tables.ts';

/** Resolves when the database answers. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** PostgreSQL's own clock, in ms since 1970: of now, not of the beginning of a transaction. */
export async function readClock(db: Db): Promise<number> {
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;
  const { ms } = await db.selectNoFrom(now.as('ms')).executeTakeFirstOrThrow();
  return ms;
}

/** The row of `rate_limits` that is written to see whether anything can be. */
const PROBE = 'readyz';

/** Resolves when a write was kept. */
export async function tryWrite({ inTransaction, now }: Pick<Deps, 'inTransaction' | 'now'>): Promise<void> {
  await inTransaction(async (tx) => {
    await lockCounter(tx, PROBE, now());
    await setCounter(tx, PROBE, 0, now().getTime());
  });
}
