import type { Kysely } from 'kysely';

/** Adds a visit's current page load, its ended page loads and its browser's capabilities. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('active_sessions').addColumn('life', 'text').execute();
  await db.schema
    .alterTable('active_sessions')
    .addColumn('left_lives', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('active_sessions').addColumn('capabilities', 'text').execute();
}
