import type { Kysely } from 'kysely';

/** Adds the requested sealed evenings and their results. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('plans_b')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('wanted_at', 'text', (c) => c.notNull())
    .addColumn('made_at', 'text')
    .addColumn('made_of', 'text')
    .addColumn('file', 'text')
    .addColumn('size', 'integer')
    .addColumn('failed', 'text')
    .execute();
}
