import { type RawBuilder, sql } from 'kysely';
import { SECURITY_EVENTS } from '../../contract/admin/logs.ts';
import type { Db, Tables } from '../db/tables.ts';

/** Maximum rows removed per call. */
const MAX_REMOVED_PER_CALL = 50;

/** Deletes failed entries and security events before a time, up to `limit` of each. Returns the number of deleted rows. */
export async function deleteFailedEntries(tx: Db, before: Date, limit: number): Promise<number> {
  const until = before.toISOString();
  const accesses = await tx
    .deleteFrom('access_logs')
    .where(
      'id',
      'in',
      tx
        .selectFrom('access_logs')
        .select('id')
        .where('created_at', '<', until)
        .where('success', '=', false)
        .limit(limit),
    )
    .executeTakeFirst();
  const events = await tx
    .deleteFrom('event_logs')
    .where(
      'id',
      'in',
      tx
        .selectFrom('event_logs')
        .select('id')
        .where('event_type', 'in', ['access_denied', ...SECURITY_EVENTS])
        .where('created_at', '<', until)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(accesses.numDeletedRows + events.numDeletedRows);
}

/** Deletes the oldest events of a type beyond `rows`, a few per call: with a call per new event the number never exceeds it. */
export async function keepLatestEvents(tx: Db, event_type: string, rows: number): Promise<void> {
  const condition = sql`event_type = ${event_type}`;
  await removeBeyond(tx, {
    table: 'event_logs',
    condition,
    maxRows: rows,
    limit: MAX_REMOVED_PER_CALL,
  });
}

type Trim = { table: string; condition: RawBuilder<unknown>; maxRows: number; limit: number };

/**
 * Deletes the oldest rows of a condition beyond a maximum, at most `limit` per call. Uses two statements: while a table grows fast,
 * PostgreSQL has no statistics and would run the subquery for every row.
 * @returns creation times of the deleted rows
 */
export async function removeBeyond(tx: Db, { table, condition, maxRows, limit }: Trim): Promise<string[]> {
  const { rows: beyond } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where ${condition}
    order by created_at desc, id desc limit ${limit} offset ${maxRows}`.execute(tx);
  if (beyond.length === 0) return [];
  const { rows } = await sql<{ created_at: string }>`
    delete from ${sql.table(table)} where id in (${sql.join(beyond.map(({ id }) => id))})
    returning created_at`.execute(tx);
  return rows.map(({ created_at }) => created_at);
}

/** Deletes the rows of a small table beyond the newest `maxRows`. Row `id` stays, even after a change of the clock. */
export async function keepNewest(
  tx: Db,
  table: keyof Tables,
  { id, by, maxRows }: { id: string | number; by: string; maxRows: number },
): Promise<void> {
  const others = sql`from ${sql.table(table)} where id <> ${id}`;
  const newest = sql`select id ${others} order by ${sql.ref(by)} desc, id limit ${maxRows - 1}`;
  await sql`delete ${others} and id not in (${newest})`.execute(tx);
}

/** Deletes the counts of days before a day, `YYYY-MM-DD`. */
export async function forgetCounts(tx: Db, before: string): Promise<void> {
  await tx.deleteFrom('refused_tries_by_day').where('giorno', '<', before).execute();
}
