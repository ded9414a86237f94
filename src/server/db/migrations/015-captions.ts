import type { Kysely } from 'kysely';

/** Adds a film's captions: their address, their viewers, and the end of the last one in seconds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('videos').addColumn('captions_url', 'text').execute();
  await db.schema
    .alterTable('videos')
    .addColumn('captions_mode', 'text', (c) => c.notNull().defaultTo('device'))
    .execute();
  await db.schema.alterTable('videos').addColumn('captions_end', 'double precision').execute();
}
