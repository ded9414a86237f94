import type { Kysely } from 'kysely';

/** Adds the opening time: no code is accepted before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('admin_config').addColumn('opens_at', 'text').execute();
}
