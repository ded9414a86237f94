import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

export type TokenCounts = { totali: number; attivi: number };

/** All codes, and those that are switched on. */
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

/** How many tries of an hour were refused: `hour` is the beginning of a timestamp, `YYYY-MM-DDTHH`, in UTC. */
export type RefusedHour = { hour: string; count: number };

/** The refused tries that are still rows, since a moment, by hour. Of those there are no more than their room (`REFUSED_ENTRIES`). */
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
