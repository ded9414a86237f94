import type { Db } from '../../db/tables.ts';

/** A destination's picture whose hues nobody has drawn. */
export type PictureWithoutHues = { id: string; url: string };

/** Those of both trips, the newest first. */
export function listUndrawn(db: Db): Promise<PictureWithoutHues[]> {
  return db
    .selectFrom('immagini_destinazione')
    .select(['id', 'url'])
    .where('hues', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Keeps a picture's hues; of one that has gone meanwhile nothing is kept. */
export async function setHues(tx: Db, id: string, hues: readonly string[]): Promise<void> {
  await tx
    .updateTable('immagini_destinazione')
    .set({ hues: JSON.stringify(hues) })
    .where('id', '=', id)
    .execute();
}
