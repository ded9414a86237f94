import { type Kysely, sql } from 'kysely';

/** Adds the setting for soft sounds in addition to the song. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('admin_config')
    .addColumn('sound_effects', 'boolean', (c) => c.notNull().defaultTo(sql`true`))
    .execute();
}
