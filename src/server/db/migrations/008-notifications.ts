import { type Kysely, sql } from 'kysely';

/** Of a message: may it have arrived already, and whose visit is it about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('notifications')
    .addColumn('uncertain', 'boolean', (c) => c.notNull().defaultTo(sql`false`))
    .execute();
  await db.schema.alterTable('notifications').addColumn('session_id', 'text').execute();
}
