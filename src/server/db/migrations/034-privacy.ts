import { type Kysely, sql } from 'kysely';

/** What visitors are told of what is kept of them, and for how many days refused tries are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('admin_config').addColumn('privacy_notice', 'text').execute();
  await db.schema
    .alterTable('admin_config')
    .addColumn('tries_kept_days', 'integer', (c) => c.notNull().defaultTo(sql`90`))
    .execute();
}
