import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

export type TokenCounts = { totali: number; attivi: number; utilizzabili: number };

/** All codes, those that are switched on, and those of them that would open now. */
export async function countTokens(db: Db, now: Date): Promise<TokenCounts> {
  const counts = await db
    .selectFrom('tokens')
    .select((eb) => {
      const all = eb.fn.countAll();
      const current = eb.or([eb('scadenza', 'is', null), eb('scadenza', '>', now.toISOString())]);
      const unused = eb('accessi_usati', '<', eb.ref('max_accessi'));
      return [
        all.as('totali'),
        all.filterWhere('attivo', '=', true).as('attivi'),
        all.filterWhere(eb.and([eb('attivo', '=', true), current, unused])).as('utilizzabili'),
      ];
    })
    .executeTakeFirstOrThrow();
  return {
    totali: Number(counts.totali),
    attivi: Number(counts.attivi),
    utilizzabili: Number(counts.utilizzabili),
  };
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
