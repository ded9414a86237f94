import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { BinKind } from '../../domain/bin.ts';
import type { BinTable, Db } from '../db/tables.ts';

/** A deleted item that can be restored (decision 066). Each feature stores what its items need; `features/bin` restores them. */
export type BinRow = Selectable<BinTable>;

export type Deleted = {
  kind: BinKind;
  place: string | null;
  name: string;
  payload: object;
  /** Files whose bytes are retained for it. */
  media?: readonly string[];
};

/** Puts an item into the bin, in the transaction that deletes it. Returns its id in the bin. */
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

/** Returns all items, latest first. */
export async function listBin(db: Db): Promise<BinRow[]> {
  return db.selectFrom('bin').selectAll().orderBy('deleted_at', 'desc').orderBy('id').execute();
}

/** Returns the item and locks its row until the transaction ends; undefined if it is missing. */
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

/** Removes texts that are in use again, regardless of who wrote them. */
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

/** Empties the bin: items can't be restored, and the next media sweep deletes files retained only for them. */
export async function emptyBin(tx: Db): Promise<void> {
  await tx.deleteFrom('bin').execute();
}

/** Returns the ids of files retained for items in the bin. */
export async function binnedMediaIds(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('bin').select('media').where('media', '!=', '[]').execute();
  return new Set(rows.flatMap(mediaIdsIn));
}

/** Returns the ids of files retained for one item. */
export function mediaIdsIn({ media }: Pick<BinRow, 'media'>): string[] {
  const ids: unknown = JSON.parse(media);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
