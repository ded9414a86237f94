import type { Kysely } from 'kysely';

/** Adds the hues that the sky takes from a destination's picture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('immagini_destinazione').addColumn('hues', 'text').execute();
}
