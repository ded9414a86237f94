import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { lockCounter, setCounter } from './counters.ts';
import type { Db } from './tables.ts';

/** Resolves when the database answers. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
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
