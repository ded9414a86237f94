import type { Kysely } from 'kysely';

/** Adds the shared state of several nodes: leases of uploads, and stored files without a row since when. */
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
