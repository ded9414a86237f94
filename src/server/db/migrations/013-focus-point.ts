import type { Kysely } from 'kysely';

/**
 * The point of a destination's picture that must stay visible, from its left and from its top, 0 to 1; its middle where none was chosen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('immagini_destinazione').addColumn('fuoco_x', 'double precision').execute();
  await db.schema.alterTable('immagini_destinazione').addColumn('fuoco_y', 'double precision').execute();
}
