import { type Kysely, sql } from 'kysely';

/** Adds to a message the flag for an uncertain delivery, and its visit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('notifications')
    .addColumn('uncertain', 'boolean', (c) => c.notNull().defaultTo(sql`false`))
    .execute();
  await db.schema.alterTable('notifications').addColumn('session_id', 'text').execute();
}
