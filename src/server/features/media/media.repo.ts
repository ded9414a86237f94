import type { Insertable, Selectable } from 'kysely';
import type { Db, MediaTable } from '../../db/tables.ts';

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

/** Marks them deleted, those that there are; a file that is already deleted keeps its time. */
export async function markDeleted(tx: Db, ids: readonly string[], at: string): Promise<void> {
  await tx
    .updateTable('media')
    .set({ deleted_at: at })
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Every file's row, the deleted ones too. */
export async function listMedia(db: Db): Promise<Media[]> {
  return db.selectFrom('media').selectAll().execute();
}

export async function listDeleted(db: Db): Promise<Media[]> {
  return db.selectFrom('media').selectAll().where('deleted_at', 'is not', null).execute();
}

export async function forgetMedia(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('media').where('id', '=', id).where('deleted_at', 'is not', null).execute();
}

/** Which of these ids have a row. */
export async function knownIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('media').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
