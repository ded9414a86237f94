import type { Kysely } from 'kysely';

/** Adds the readiness checks: their results, the claim of a run, and completed rehearsals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rehearsals_seen')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('phone', 'boolean', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('ready_tries')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('found', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('ready_watch')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('asked_at', 'text')
    .addColumn('watched_at', 'text', (c) => c.notNull())
    .addColumn('wanted_at', 'text')
    .addColumn('asking_until', 'text')
    .addColumn('done', 'integer', (c) => c.notNull())
    .addColumn('total', 'integer', (c) => c.notNull())
    .addColumn('told', 'text')
    .addColumn('key_hash', 'text')
    .addColumn('key_at', 'text')
    .execute();
}
