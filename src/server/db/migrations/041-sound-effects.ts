import { type Kysely, sql } from 'kysely';

/** Whether soft sounds accompany the evening beside its song. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('admin_config')
    .addColumn('sound_effects', 'boolean', (c) => c.notNull().defaultTo(sql`true`))
    .execute();
}
