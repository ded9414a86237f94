import { type Kysely, sql } from 'kysely';

/** Which pass for the rehearsal is good, so that it can be taken back. The pass itself is kept nowhere. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rehearsal_pass')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('scadenza', 'text')
    .execute();
}
