import type { Selectable } from 'kysely';
import type { DeniedReason } from '../../../domain/access.ts';
import { statement } from '../../db/statement.ts';
import type { Db, TokensTable } from '../../db/tables.ts';

export type TokenRow = Selectable<TokensTable>;

/** Locks the code with this normalized value until the transaction ends, so that entries with one code run one at a time. */
export async function lockTokenByCode(tx: Db, normalized: string): Promise<TokenRow | undefined> {
  return (await heldByCode(tx, { normalized }))[0];
}

const heldByCode = statement<{ normalized: string }>()((tx, value) =>
  tx
    .updateTable('tokens')
    .set((eb) => ({ attivo: eb.ref('attivo') }))
    .where('normalized', '=', value.normalized)
    .returningAll(),
);

/** Uses the code once if it is valid now. The update repeats the whole rule, so that no other error can exceed the code's limit. */
export async function consumeUse(tx: Db, id: string, now: Date): Promise<boolean> {
  return (await oneUse(tx, { id, now: now.toISOString() })).length > 0;
}

const oneUse = statement<{ id: string; now: string }>()((tx, value) =>
  tx
    .updateTable('tokens')
    .set((eb) => ({ accessi_usati: eb('accessi_usati', '+', 1) }))
    .where('id', '=', value.id)
    .where('attivo', '=', true)
    .whereRef('accessi_usati', '<', 'max_accessi')
    .where((eb) => eb.or([eb('scadenza', 'is', null), eb('scadenza', '>', value.now)]))
    .returning('id'),
);

/** A denial to look for in the event log, since this time. */
export type PastRefusal = { token_id: string; device_id: string; reason: DeniedReason; since: Date };

/** Returns true if the event log has such a denial. */
export async function wasDenied(
  tx: Db,
  { token_id, device_id, reason, since }: PastRefusal,
): Promise<boolean> {
  const row = await tx
    .selectFrom('event_logs')
    .select('id')
    .where('event_type', '=', 'access_denied')
    .where('token_id', '=', token_id)
    .where('device_id', '=', device_id)
    .where('created_at', '>', since.toISOString())
    .where('metadata', '=', JSON.stringify({ reason }))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
