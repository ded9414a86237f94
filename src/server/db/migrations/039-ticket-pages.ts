import type { Kysely } from 'kysely';

/** The pages of stored tickets, drawn as pictures; null until they are drawn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('pages', 'text').execute();
}
