import type { Insertable, Selectable } from 'kysely';
import type { MediaTable } from '../../db/media-tables.ts';
import type { Db } from '../../db/tables.ts';

export type Media = Selectable<MediaTable>;

export async function insertMedia(tx: Db, media: Insertable<MediaTable>): Promise<void> {
  await tx.insertInto('media').values(media).execute();
}

/** Returns the file's row, deleted or not; null if it never existed. */
export async function findMedia(db: Db, id: string): Promise<Media | null> {
  return (await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findMedias(db: Db, ids: readonly string[]): Promise<Media[]> {
  return ids.length === 0 ? [] : db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
}

/** Stores the rendered pages of tickets: JSON of the domain's `TicketPage`s. */
export async function setPages(tx: Db, id: string, pages: string): Promise<void> {
  await tx.updateTable('media').set({ pages }).where('id', '=', id).execute();
}

/** Marks existing files deleted; those already marked retain their time. Returns the ids of the others. */
export async function markDeleted(tx: Db, ids: readonly string[], at: string): Promise<string[]> {
  const marked = await tx
    .updateTable('media')
    .set({ deleted_at: at })
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  return marked.map(({ id }) => id);
}

export async function unmarkDeleted(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx.updateTable('media').set({ deleted_at: null }).where('id', 'in', ids).execute();
}

/** Returns all rows, including deleted files. */
export async function listMedia(db: Db): Promise<Media[]> {
  return db.selectFrom('media').selectAll().execute();
}

export async function listDeleted(db: Db): Promise<Media[]> {
  return db.selectFrom('media').selectAll().where('deleted_at', 'is not', null).execute();
}

/** Deletes the row of a deleted file if it is unchanged; returns false if the file was restored. */
export async function forgetMedia(
  tx: Db,
  { id, deleted_at }: Pick<Media, 'id' | 'deleted_at'>,
): Promise<boolean> {
  const forgotten = await tx
    .deleteFrom('media')
    .where('id', '=', id)
    .where('deleted_at', '=', deleted_at)
    .returning('id')
    .executeTakeFirst();
  return forgotten !== undefined;
}

export async function knownIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('media').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
