import { type RawBuilder, sql } from 'kysely';
import { REFUSED_ENTRIES } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import { removeBeyond } from '../../event-log/events.repo.ts';
import { keepLatest } from '../../limits/failures.repo.ts';
import { PRIORITY } from '../notifications/notifications.repo.ts';

/**
 * Removes the oldest refused attempts beyond each table's limit, at most `limit` rows each. Attempts with existing
 * codes have a separate limit.
 * @returns times of the removed attempts
 */
export async function deleteOverLimit(tx: Db, limit: number): Promise<string[]> {
  const { guesses, existingCodes, counters } = REFUSED_ENTRIES;
  const trim = (table: string, which: RawBuilder<unknown>, room: number) =>
    removeBeyond(tx, { table, condition: which, maxRows: room, limit });
  await trim('event_logs', sql`event_type = 'access_denied' and token_id is null`, guesses);
  await trim('event_logs', sql`event_type = 'access_denied' and token_id is not null`, existingCodes);
  await trim('notifications', sql`priority = ${PRIORITY.guesses}`, guesses);
  await trim('notifications', sql`priority = ${PRIORITY.failures}`, existingCodes);
  await keepLatest(tx, counters);
  return [
    ...(await trim('access_logs', sql`success = false and token_id is null`, guesses)),
    ...(await trim('access_logs', sql`success = false and token_id is not null`, existingCodes)),
  ];
}

/** Adds refused attempts to the counts of their days. */
export async function addDailyCounts(tx: Db, days: ReadonlyMap<string, number>): Promise<void> {
  if (days.size === 0) return;
  // Nodes that update the same days lock them in the same order.
  const giorni = [...days.keys()].toSorted((a, b) => a.localeCompare(b));
  const rows = giorni.map((giorno) => ({ giorno, tentativi: days.get(giorno) ?? 0 }));
  await tx
    .insertInto('refused_tries_by_day')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('giorno').doUpdateSet((eb) => ({
        tentativi: eb('refused_tries_by_day.tentativi', '+', eb.ref('excluded.tentativi')),
      })),
    )
    .execute();
}

/** Returns the daily counts of attempts without a row, from a day on. */
export async function refusedByDay(db: Db, since: string): Promise<{ giorno: string; tentativi: number }[]> {
  return db.selectFrom('refused_tries_by_day').selectAll().where('giorno', '>=', since).execute();
}

/** Returns the sum of all daily counts. */
export async function totalRefused(db: Db): Promise<number> {
  const { sum } = await db
    .selectFrom('refused_tries_by_day')
    .select((eb) => eb.fn.sum('tentativi').as('sum'))
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}
