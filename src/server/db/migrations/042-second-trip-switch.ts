import type { Kysely } from 'kysely';

/** Adds the switch of the second trip; null until the administrator uses it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('admin_config').addColumn('secondo_viaggio', 'boolean').execute();
}
