import type { Kysely } from 'kysely';

/** Adds the identity by which nodes recognize an install: its id, a fingerprint of its secrets, and its storage's id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('install_identity')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('install', 'text', (c) => c.notNull())
    .addColumn('secrets', 'text', (c) => c.notNull())
    .addColumn('storage', 'text')
    .execute();
}
