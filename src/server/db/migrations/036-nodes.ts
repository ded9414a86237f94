import type { Kysely } from 'kysely';

/** What several nodes must agree on: who is at an upload, and since when a stored file has had no row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upload_leases')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('until', 'text', (c) => c.notNull())
    .addColumn('asked', 'boolean', (c) => c.notNull())
    .addColumn('progress', 'double precision')
    .execute();
  await db.schema
    .createTable('media_orphans')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('seen_at', 'text', (c) => c.notNull())
    .execute();
}
