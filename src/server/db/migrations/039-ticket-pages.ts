import type { Kysely } from 'kysely';

/** Adds the pages of stored tickets, rendered as pictures; null before that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('pages', 'text').execute();
}
