import type { Db } from '../../db/tables.ts';

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
