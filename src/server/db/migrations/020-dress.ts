import type { Kysely } from 'kysely';

/** Adds the evening's dress. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('admin_config')
    .addColumn('dress', 'text', (c) => c.notNull().defaultTo('notte'))
    .execute();
}
