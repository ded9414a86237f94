import type { Kysely } from 'kysely';

/** How loud a file is, in LUFS, and of which file it was made where its volume was levelled. What came before isn't measured. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('loudness', 'double precision').execute();
  await db.schema.alterTable('media').addColumn('original', 'text').execute();
}
