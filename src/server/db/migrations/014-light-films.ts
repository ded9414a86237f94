import { type Kysely, sql } from 'kysely';

/** Adds a film's light version: its address, its source file, its state, whether it is wanted; and the film's duration in seconds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['light_url', 'light_of', 'light_state'])
    await db.schema.alterTable('videos').addColumn(column, 'text').execute();
  await db.schema
    .alterTable('videos')
    .addColumn('light_on', 'boolean', (c) => c.notNull().defaultTo(sql`true`))
    .execute();
  await db.schema.alterTable('videos').addColumn('seconds', 'double precision').execute();
}
