import { type Kysely, sql } from 'kysely';

/** Adds the number of the valid rehearsal pass, so that it can be revoked. The pass itself isn't stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rehearsal_pass')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('scadenza', 'text')
    .execute();
}
