import type { Insertable, Selectable } from 'kysely';
import type { MediaTable } from '../../db/media-tables.ts';
import type { Db } from '../../db/tables.ts';

export type Media = Selectable<MediaTable>;

export async function insertMedia(tx: Db, media: Insertable<MediaTable>): Promise<void> {
  await tx.insertInto('media').values(media).execute();
}

/** The file's row, deleted or not; null when there never was one. */
export async function findMedia(db: Db, id: string): Promise<Media | null> {
  return (await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findMedias(db: Db, ids: readonly string[]): Promise<Media[]> {
  return ids.length === 0 ? [] : db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
}

/** Stores the drawn pages of tickets: JSON of the domain's `TicketPage`s. */
export async function setPages(tx: Db, id: string, pages: string): Promise<void> {
  await tx.updateTable('media').set({ pages }).where('id', '=', id).execute();
}

/** Marks them deleted, those that there are; a file that is already deleted keeps its time. Returns the ids of those that weren't. */
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

/** They are there again. */
export async function unmarkDeleted(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx.updateTable('media').set({ deleted_at: null }).where('id', 'in', ids).execute();
}

/** Every file's row, the deleted ones too. */
export async function listMedia(db: Db): Promise<Media[]> {
  return db.selectFrom('media').selectAll().execute();
}

export async function listDeleted(db: Db): Promise<Media[]> {
  return db.selectFrom('media').selectAll().where('deleted_at', 'is not', null).execute();
}

/** Forgets a file that is deleted still, as it was seen to be; false where somebody has taken it back meanwhile. */
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

/** Which of these ids have a row. */
export async function knownIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('media').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
