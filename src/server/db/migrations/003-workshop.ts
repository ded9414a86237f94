import type { Kysely } from 'kysely';

/** What the administrator's pages need: a version on the questions, and what is worth saying of a kept file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('checkbox_questions')
    .addColumn('versione', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('media')
    .addColumn('warnings', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
}
