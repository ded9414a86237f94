import type { Kysely } from 'kysely';

/** Adds the second at which the song starts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('admin_config')
    .addColumn('canzone_inizio_secondi', 'double precision', (c) => c.notNull().defaultTo(0))
    .execute();
}
