import type { Kysely } from 'kysely';

/** Adds the valid passes for the diagnosis of phones with their owners' names, and the findings per phone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('diagnosis_passes')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('scadenza', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('diagnoses')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('findings', 'text', (c) => c.notNull())
    .execute();
}
