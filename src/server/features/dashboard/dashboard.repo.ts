import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

export type TokenCounts = { totali: number; attivi: number };

export async function countTokens(db: Db): Promise<TokenCounts> {
  const counts = await db
    .selectFrom('tokens')
    .select((eb) => {
      const all = eb.fn.countAll();
      return [all.as('totali'), all.filterWhere('attivo', '=', true).as('attivi')];
    })
    .executeTakeFirstOrThrow();
  return { totali: Number(counts.totali), attivi: Number(counts.attivi) };
}

/** Refused attempts of an hour. `hour` is the start of a timestamp, `YYYY-MM-DDTHH`, in UTC. */
export type RefusedHour = { hour: string; count: number };

/** Counts the refused attempts that are still rows, by hour since a moment. `REFUSED_ENTRIES` limits their number. */
export async function refusedByHour(db: Db, since: Date): Promise<RefusedHour[]> {
  const rows = await db
    .selectFrom('access_logs')
    .select((eb) => [sql<string>`substr(created_at, 1, 13)`.as('hour'), eb.fn.countAll().as('count')])
    .where('created_at', '>=', since.toISOString())
    .where('success', '=', false)
    .groupBy('hour')
    .execute();
  return rows.map(({ hour, count }) => ({ hour, count: Number(count) }));
}
