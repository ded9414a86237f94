import type { Db } from '../../db/tables.ts';

/** Rows one call removes at most. */
const FEW = 50;

/** Removes some of the failed entries before a moment from both logs. Returns how many rows. */
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
        .where('event_type', 'in', ['access_denied', 'admin_sign_in_failed'])
        .where('created_at', '<', until)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(accesses.numDeletedRows + events.numDeletedRows);
}

/** Removes the oldest events of a kind beyond so many, a few at a time: called for each new one, there are never more. */
export async function keepLatestEvents(tx: Db, event_type: string, rows: number): Promise<void> {
  await tx
    .deleteFrom('event_logs')
    .where(
      'id',
      'in',
      tx
        .selectFrom('event_logs')
        .select('id')
        .where('event_type', '=', event_type)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(FEW)
        .offset(rows),
    )
    .execute();
}

/** Removes the numbers of the days before one, `YYYY-MM-DD`. */
export async function forgetCounts(tx: Db, before: string): Promise<void> {
  await tx.deleteFrom('refused_tries_by_day').where('giorno', '<', before).execute();
}
