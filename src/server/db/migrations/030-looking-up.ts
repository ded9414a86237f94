import { type Kysely, sql } from 'kysely';

/** Adds indexes for the latest visits and the waiting messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('active_sessions_listed')
    .on('active_sessions')
    .columns(['is_active', 'started_at', 'id'])
    .execute();
  await db.schema
    .createIndex('notifications_waiting')
    .on('notifications')
    .columns(['channel', 'priority', 'created_at', 'next_attempt_at'])
    .where(sql.ref('sent_at'), 'is', null)
    .execute();
}
