import type { Kysely } from 'kysely';

/** A film's captions: where they are, to whom they are shown, and when the last of them ends in seconds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('videos').addColumn('captions_url', 'text').execute();
  await db.schema
    .alterTable('videos')
    .addColumn('captions_mode', 'text', (c) => c.notNull().defaultTo('device'))
    .execute();
  await db.schema.alterTable('videos').addColumn('captions_end', 'double precision').execute();
}
