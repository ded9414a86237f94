import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { BinKind } from '../../domain/bin.ts';
import type { Db } from '../db/tables.ts';
import type { BinTable } from '../db/workshop-tables.ts';

/** What was deleted and can be taken back (decision 074). Who puts it in knows what it takes to put it back; `features/bin` does so. */
export type BinRow = Selectable<BinTable>;

export type Deleted = {
  kind: BinKind;
  place: string | null;
  name: string;
  payload: object;
  /** The files whose bytes stay for it. */
  media?: readonly string[];
};

/** Puts something into the bin, in the transaction that deletes it. Returns the id it has there. */
export async function putInBin(
  tx: Db,
  { kind, place, name, payload, media = [] }: Deleted,
  now: Date,
): Promise<string> {
  const row = {
    id: randomUUID(),
    kind,
    place,
    name,
    payload: JSON.stringify(payload),
    media: JSON.stringify(media),
    deleted_at: now.toISOString(),
  };
  await tx.insertInto('bin').values(row).execute();
  return row.id;
}

/** All of it, the latest first. */
export async function listBin(db: Db): Promise<BinRow[]> {
  return db.selectFrom('bin').selectAll().orderBy('deleted_at', 'desc').orderBy('id').execute();
}

/** What lies there under this id, held until the transaction ends; undefined where nothing does any more. */
export async function lockBinned(tx: Db, id: string): Promise<BinRow | undefined> {
  return tx
    .updateTable('bin')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function forgetBinned(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('bin').where('id', 'in', ids).execute();
}

/** Forgets texts that stand where they were again, whoever has written them. */
export async function forgetTexts(
  tx: Db,
  kind: BinKind,
  place: string,
  texts: readonly string[],
): Promise<void> {
  if (texts.length === 0) return;
  await tx
    .deleteFrom('bin')
    .where('kind', '=', kind)
    .where('place', '=', place)
    .where('name', 'in', texts)
    .execute();
}

/**
 * Empties it: what lies there can't be taken back any more, and the bytes that stay for it alone go with the next sweep of the files.
 * @param deletedBefore only what was deleted before that
 */
export async function emptyBin(tx: Db, deletedBefore?: Date): Promise<void> {
  const all = tx.deleteFrom('bin');
  await (deletedBefore === undefined
    ? all
    : all.where('deleted_at', '<', deletedBefore.toISOString())
  ).execute();
}

/** The ids of the files whose bytes stay for something in it. */
export async function binnedMediaIds(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('bin').select('media').where('media', '!=', '[]').execute();
  return new Set(rows.flatMap(mediaIdsIn));
}

/** The files that stay for one of them. */
export function mediaIdsIn({ media }: Pick<BinRow, 'media'>): string[] {
  const ids: unknown = JSON.parse(media);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
