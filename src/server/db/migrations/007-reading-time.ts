import type { Kysely } from 'kysely';

/** Adds the phrase lists with exact seconds, a JSON list of field names; empty by default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('admin_config')
    .addColumn('frasi_secondi_esatti', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
}
