import { italianDayOf } from '../../domain/days.ts';
import type { VisitsByDayTable } from '../db/log-tables.ts';
import { statement } from '../db/statement.ts';
import type { Db } from '../db/tables.ts';

/** What has happened once more: an entry that succeeded, a visit that began. */
type More = Partial<Pick<VisitsByDayTable, 'accessi' | 'visite'>>;

/**
 * Counts it on its day, in the transaction that writes the row. To be asked last there: until the transaction ends everybody else who counts on that day
 * waits for it.
 */
export async function countVisit(tx: Db, { accessi = 0, visite = 0 }: More, moment: Date): Promise<void> {
  await oneMore(tx, { giorno: italianDayOf(moment), accessi, visite });
}

const oneMore = statement<VisitsByDayTable>()((tx, value) =>
  tx
    .insertInto('visits_by_day')
    .values({ giorno: value.giorno, accessi: value.accessi, visite: value.visite })
    .onConflict((conflict) =>
      conflict.column('giorno').doUpdateSet((eb) => ({
        accessi: eb('visits_by_day.accessi', '+', eb.ref('excluded.accessi')),
        visite: eb('visits_by_day.visite', '+', eb.ref('excluded.visite')),
      })),
    ),
);

/** Entries that succeeded, since ever. */
export async function countAccesses(db: Db): Promise<number> {
  const { sum } = await db
    .selectFrom('visits_by_day')
    .select((eb) => eb.fn.sum('accessi').as('sum'))
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

/** Entries that succeeded, by day, from a day on. */
export async function accessesByDay(db: Db, since: string): Promise<{ giorno: string; accessi: number }[]> {
  return db.selectFrom('visits_by_day').select(['giorno', 'accessi']).where('giorno', '>=', since).execute();
}
