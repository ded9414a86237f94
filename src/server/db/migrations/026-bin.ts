import type { Kysely } from 'kysely';

/** Adds the bin of deleted items that can be restored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bin')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('place', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('media', 'text', (c) => c.notNull())
    .addColumn('deleted_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('bin_by_age').on('bin').columns(['deleted_at', 'id']).execute();
}
