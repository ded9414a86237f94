import { type Kysely, sql } from 'kysely';
import { italianDayOf } from '../../../domain/days.ts';

/**
 * Adds successful entries and started visits per Italian day, so that no query counts their rows, and an index of refused attempts. Drops
 * two indexes that are no longer needed: each entry wrote to them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('visits_by_day')
    .addColumn('giorno', 'text', (c) => c.primaryKey().notNull())
    .addColumn('accessi', 'integer', (c) => c.notNull())
    .addColumn('visite', 'integer', (c) => c.notNull())
    .execute();
  await countWhatIsThere(db);
  await db.schema
    .createIndex('access_logs_refused')
    .on('access_logs')
    .columns(['created_at', 'id'])
    .where(sql<boolean>`success = false`)
    .execute();
  await db.schema.dropIndex('access_logs_created').execute();
  await db.schema.dropIndex('active_sessions_active').execute();
}

type Hour = { hour: string; accessi: number; visite: number };

/** Counts by hour first, because an hour belongs to one day: there may be a million rows. */
async function countWhatIsThere(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Hour>`
    select hour, sum(accessi) as accessi, sum(visite) as visite from (
      select substr(created_at, 1, 13) as hour, 1 as accessi, 0 as visite from access_logs where success = true
      union all
      select substr(started_at, 1, 13) as hour, 0 as accessi, 1 as visite from active_sessions
    ) as counted group by hour`.execute(db);
  const days = new Map<string, { accessi: number; visite: number }>();
  for (const { hour, accessi, visite } of rows) {
    const moment = new Date(`${hour}:00:00Z`);
    const giorno = Number.isNaN(moment.getTime()) ? hour.slice(0, 10) : italianDayOf(moment);
    const before = days.get(giorno) ?? { accessi: 0, visite: 0 };
    days.set(giorno, {
      accessi: before.accessi + Number(accessi),
      visite: before.visite + Number(visite),
    });
  }
  for (const [giorno, { accessi, visite }] of days)
    await sql`insert into visits_by_day (giorno, accessi, visite) values (${giorno}, ${accessi}, ${visite})`.execute(
      db,
    );
}
