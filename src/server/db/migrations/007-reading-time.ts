import type { Kysely } from 'kysely';

/** Which lists of phrases stay exactly the chosen seconds, as a JSON list of their fields' names; none does until it is chosen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('admin_config')
    .addColumn('frasi_secondi_esatti', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
}
