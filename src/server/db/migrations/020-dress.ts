import type { Kysely } from 'kysely';

/** What the evening wears. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('admin_config')
    .addColumn('dress', 'text', (c) => c.notNull().defaultTo('notte'))
    .execute();
}
