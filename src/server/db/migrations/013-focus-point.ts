import type { Kysely } from 'kysely';

/** Adds the point of a destination's picture that must stay visible, 0 to 1 from the left and the top; null for the middle. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('immagini_destinazione').addColumn('fuoco_x', 'double precision').execute();
  await db.schema.alterTable('immagini_destinazione').addColumn('fuoco_y', 'double precision').execute();
}
