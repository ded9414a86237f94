import type { Kysely } from 'kysely';

/** Which page of a visit speaks, which ones have said farewell, and what its browser can do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('active_sessions').addColumn('life', 'text').execute();
  await db.schema
    .alterTable('active_sessions')
    .addColumn('left_lives', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('active_sessions').addColumn('capabilities', 'text').execute();
}
