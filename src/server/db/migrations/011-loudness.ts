import type { Kysely } from 'kysely';

/** Adds the loudness of a file in LUFS, and the original of a normalized one. Earlier files aren't measured. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('loudness', 'double precision').execute();
  await db.schema.alterTable('media').addColumn('original', 'text').execute();
}
