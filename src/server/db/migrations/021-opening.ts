import type { Kysely } from 'kysely';

/** The moment before which no code opens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('admin_config').addColumn('opens_at', 'text').execute();
}
