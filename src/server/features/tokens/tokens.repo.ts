import type { TokenRecord } from '../../../contract/model.ts';
import type { Db } from '../../db/tables.ts';

const FIELDS = [
  'id',
  'token',
  'nome',
  'max_accessi',
  'accessi_usati',
  'scadenza',
  'attivo',
  'created_by',
  'created_at',
] as const;

export async function listTokens(db: Db): Promise<TokenRecord[]> {
  return db.selectFrom('tokens').select(FIELDS).orderBy('created_at', 'desc').orderBy('id').execute();
}

/** Inserts a code. Returns undefined if one with the same normalised value exists. */
export async function insertToken(
  tx: Db,
  token: TokenRecord & { normalized: string },
): Promise<TokenRecord | undefined> {
  return tx
    .insertInto('tokens')
    .values(token)
    .onConflict((conflict) => conflict.column('normalized').doNothing())
    .returning(FIELDS)
    .executeTakeFirst();
}

/** Revokes or restores a code and locks its row. Returns undefined if it doesn't exist. */
export async function setActive(tx: Db, id: string, attivo: boolean): Promise<TokenRecord | undefined> {
  return tx.updateTable('tokens').set({ attivo }).where('id', '=', id).returning(FIELDS).executeTakeFirst();
}

/** Adds one access if `max_accessi` is unchanged and below the maximum. */
export async function addAccess(tx: Db, id: string, expected: number, maxAccesses: number): Promise<void> {
  await tx
    .updateTable('tokens')
    .set((eb) => ({ max_accessi: eb('max_accessi', '+', 1) }))
    .where('id', '=', id)
    .where('max_accessi', '=', expected)
    .where('max_accessi', '<', maxAccesses)
    .execute();
}

export async function setExpiry(tx: Db, id: string, scadenza: string): Promise<void> {
  await tx.updateTable('tokens').set({ scadenza }).where('id', '=', id).execute();
}

export async function findToken(db: Db, id: string): Promise<TokenRecord | undefined> {
  return db.selectFrom('tokens').select(FIELDS).where('id', '=', id).executeTakeFirst();
}

/** Returns the code and locks its row until the transaction ends. */
export async function lockToken(tx: Db, id: string): Promise<TokenRecord | undefined> {
  return tx
    .updateTable('tokens')
    .set((eb) => ({ attivo: eb.ref('attivo') }))
    .where('id', '=', id)
    .returning(FIELDS)
    .executeTakeFirst();
}

/** Deletes the code and returns its complete row. */
export async function deleteToken(
  tx: Db,
  id: string,
): Promise<(TokenRecord & { normalized: string }) | undefined> {
  return tx.deleteFrom('tokens').where('id', '=', id).returningAll().executeTakeFirst();
}
