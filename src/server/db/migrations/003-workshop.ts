import type { Kysely } from 'kysely';

/** Adds a version of the questions and warnings about accepted files. */
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
