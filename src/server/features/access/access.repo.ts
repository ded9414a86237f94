import type { Selectable } from 'kysely';
import type { Db, TokensTable } from '../../db/tables.ts';

export type TokenRow = Selectable<TokensTable>;

/** The code with this normalised value, held until the transaction ends: entries with one code go one after the other. */
export async function lockTokenByCode(tx: Db, normalized: string): Promise<TokenRow | undefined> {
  return tx
    .updateTable('tokens')
    .set((eb) => ({ attivo: eb.ref('attivo') }))
    .where('normalized', '=', normalized)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Uses the code once if it may be used now. The condition is the whole rule once more, in the statement that counts: whatever else
 * goes wrong, a code is never used beyond its limit.
 */
export async function takeUse(tx: Db, id: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('tokens')
    .set((eb) => ({ accessi_usati: eb('accessi_usati', '+', 1) }))
    .where('id', '=', id)
    .where('attivo', '=', true)
    .whereRef('accessi_usati', '<', 'max_accessi')
    .where((eb) => eb.or([eb('scadenza', 'is', null), eb('scadenza', '>', now.toISOString())]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
