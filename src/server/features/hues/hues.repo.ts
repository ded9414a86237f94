import type { Db } from '../../db/tables.ts';

/** A destination picture without computed hues. */
export type PictureWithoutHues = { id: string; url: string };

/** Returns those of both trips, newest first. */
export function listUndrawn(db: Db): Promise<PictureWithoutHues[]> {
  return db
    .selectFrom('immagini_destinazione')
    .select(['id', 'url'])
    .where('hues', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Stores a picture's hues; does nothing if it was deleted. */
export async function setHues(tx: Db, id: string, hues: readonly string[]): Promise<void> {
  await tx
    .updateTable('immagini_destinazione')
    .set({ hues: JSON.stringify(hues) })
    .where('id', '=', id)
    .execute();
}
