import { type Kysely, sql } from 'kysely';

/** Adds the phones that may store the sealed evening, and the flag of visits made without the site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('plan_b_passes')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('scadenza', 'text', (c) => c.notNull())
    .addColumn('seen_at', 'text')
    .addColumn('user_agent', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('keeps', 'text')
    .execute();
  await db.schema
    .alterTable('active_sessions')
    .addColumn('piano_b', 'boolean', (c) => c.notNull().defaultTo(sql`false`))
    .execute();
}
