import type { Kysely } from 'kysely';

/** What nodes know each other by: which install the database is of, and what its secrets and its storage are known by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('install_identity')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('install', 'text', (c) => c.notNull())
    .addColumn('secrets', 'text', (c) => c.notNull())
    .addColumn('storage', 'text')
    .execute();
}
