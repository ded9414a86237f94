import type { Kysely } from 'kysely';

/**
 * Adds the keepsake: a finished evening, shown again until a last day. A row per session: the cookie of its device, when it was issued,
 * until when it is unlocked, and the visitor's reply.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('admin_config').addColumn('keepsake_until', 'text').execute();
  await db.schema
    .createTable('keepsakes')
    .addColumn('session_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('cookie_hash', 'text', (c) => c.notNull().unique())
    .addColumn('given_at', 'text', (c) => c.notNull())
    .addColumn('open_until', 'text')
    .addColumn('reply', 'text')
    .addColumn('replied_at', 'text')
    .execute();
}
