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

/** Entries that succeeded, since ever. */
export async function countAccesses(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('access_logs')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('success', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many tries of an hour, by outcome. */
export type AccessHour = { hour: string; success: boolean; count: number };

/** Tries to enter since a moment, by hour: `hour` is the beginning of a timestamp, `YYYY-MM-DDTHH`, in UTC. */
export async function accessesByHour(db: Db, since: Date): Promise<AccessHour[]> {
  const rows = await db
    .selectFrom('access_logs')
    .select((eb) => [
      sql<string>`substr(created_at, 1, 13)`.as('hour'),
      'success',
      eb.fn.countAll().as('count'),
    ])
    .where('created_at', '>=', since.toISOString())
    .groupBy(['hour', 'success'])
    .execute();
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}
