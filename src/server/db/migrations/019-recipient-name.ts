import type { Kysely } from 'kysely';

/** Adds the recipient's name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('admin_config').addColumn('recipient_name', 'text').execute();
}
