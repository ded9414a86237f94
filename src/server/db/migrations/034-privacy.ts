import { type Kysely, sql } from 'kysely';

/** Adds the privacy notice for visitors, and the retention of refused attempts in days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('admin_config').addColumn('privacy_notice', 'text').execute();
  await db.schema
    .alterTable('admin_config')
    .addColumn('tries_kept_days', 'integer', (c) => c.notNull().defaultTo(sql`90`))
    .execute();
}
