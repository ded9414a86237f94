import { italianDayOf } from '../../domain/days.ts';
import { statement } from '../db/statement.ts';
import type { Db, VisitsByDayTable } from '../db/tables.ts';

/** Counts to add: successful entries and started visits. */
type CountsToAdd = Partial<Pick<VisitsByDayTable, 'accessi' | 'visite'>>;

/**
 * Adds to the counts of the day, in the transaction that writes the row. Must be its last statement: other transactions that count on that
 * day wait until it ends.
 */
export async function countVisit(
  tx: Db,
  { accessi = 0, visite = 0 }: CountsToAdd,
  moment: Date,
): Promise<void> {
  await incrementDay(tx, { giorno: italianDayOf(moment), accessi, visite });
}

const incrementDay = statement<VisitsByDayTable>()((tx, value) =>
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

/** Returns the total number of successful entries. */
export async function countAccesses(db: Db): Promise<number> {
  const { sum } = await db
    .selectFrom('visits_by_day')
    .select((eb) => eb.fn.sum('accessi').as('sum'))
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

/** Returns the successful entries per day since a day. */
export async function accessesByDay(db: Db, since: string): Promise<{ giorno: string; accessi: number }[]> {
  return db.selectFrom('visits_by_day').select(['giorno', 'accessi']).where('giorno', '>=', since).execute();
}
