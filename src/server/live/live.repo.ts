import { sql } from 'kysely';
import { contactText } from '../../domain/recipient-name.ts';
import { statement } from '../db/statement.ts';
import type { Db } from '../db/tables.ts';

export type SessionState = {
  id: string;
  completed_at: string | null;
  disconnection_reason: string | null;
  /** Null if the code is deleted. */
  code_active: boolean | null;
};

/** Values per statement on SQLite. */
const MAX_VALUES = 500;

/**
 * Returns the current states of sessions; missing ones are left out.
 * @param shared on PostgreSQL the ids are one value: one cheap query for any number
 */
export async function readStates(db: Db, ids: readonly string[], shared: boolean): Promise<SessionState[]> {
  if (shared) return statesOf(db).where(sql<boolean>`active_sessions.id = any(${ids}::text[])`).execute();
  const states: SessionState[] = [];
  for (let from = 0; from < ids.length; from += MAX_VALUES)
    states.push(
      ...(await statesOf(db)
        .where('active_sessions.id', 'in', ids.slice(from, from + MAX_VALUES))
        .execute()),
    );
  return states;
}

const statesOf = (db: Db) =>
  db
    .selectFrom('active_sessions')
    .leftJoin('tokens', 'tokens.id', 'active_sessions.token_id')
    .select([
      'active_sessions.id',
      'active_sessions.completed_at',
      'active_sessions.disconnection_reason',
      'tokens.attivo as code_active',
    ]);

/** Returns the contact shown to a disconnected visitor. */
export async function readContact(db: Db): Promise<string | null> {
  const row = await db.selectFrom('admin_config').select(['contatto', 'recipient_name']).executeTakeFirst();
  return row === undefined ? null : contactText(row);
}

/** Sends payloads on a PostgreSQL channel as part of the transaction. */
export const notifyIn = statement<{ channel: string; payloads: readonly string[] }>()(
  (tx, { channel, payloads }) =>
    tx
      .selectFrom(sql<{ payload: string }>`unnest(${payloads}::text[])`.as('payload'))
      .select(sql`pg_notify(${channel}, payload)`.as('told')),
);
