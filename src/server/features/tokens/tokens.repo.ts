import type { TokenRecord } from '../../../contract/records.ts';
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

/** All codes, newest first. */
export async function listTokens(db: Db): Promise<TokenRecord[]> {
  return db.selectFrom('tokens').select(FIELDS).orderBy('created_at', 'desc').orderBy('id').execute();
}

/** Adds a code; undefined when one with the same normalised value exists. */
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

/** Revokes or restores; returns the code and holds it, undefined when there is none. */
export async function setActive(tx: Db, id: string, attivo: boolean): Promise<TokenRecord | undefined> {
  return tx.updateTable('tokens').set({ attivo }).where('id', '=', id).returning(FIELDS).executeTakeFirst();
}

/** The code as it is, held until the transaction ends. */
export async function lockToken(tx: Db, id: string): Promise<TokenRecord | undefined> {
  return tx
    .updateTable('tokens')
    .set((eb) => ({ attivo: eb.ref('attivo') }))
    .where('id', '=', id)
    .returning(FIELDS)
    .executeTakeFirst();
}

export async function deleteToken(tx: Db, id: string): Promise<TokenRecord | undefined> {
  return tx.deleteFrom('tokens').where('id', '=', id).returning(FIELDS).executeTakeFirst();
}
