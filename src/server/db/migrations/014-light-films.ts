import { type Kysely, sql } from 'kysely';

/**
 * A film's light version: where it is, of which file it was made (or not), how that ended, whether it is wanted, and how long the film is
 * in seconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['light_url', 'light_of', 'light_state'])
    await db.schema.alterTable('videos').addColumn(column, 'text').execute();
  await db.schema
    .alterTable('videos')
    .addColumn('light_on', 'boolean', (c) => c.notNull().defaultTo(sql`true`))
    .execute();
  await db.schema.alterTable('videos').addColumn('seconds', 'double precision').execute();
}
