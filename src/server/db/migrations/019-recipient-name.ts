import type { Kysely } from 'kysely';

/** The name of whom the evening is for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('admin_config').addColumn('recipient_name', 'text').execute();
}
