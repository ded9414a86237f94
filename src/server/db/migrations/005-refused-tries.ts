import type { Kysely } from 'kysely';

/**
 * Adds the refused attempts per day. Deletes the previous failure counts, which followed other rules, and better-auth's table of limits,
 * which are off.
 */
export async function up(db: Kysely<Counters>): Promise<void> {
  await db.schema
    .createTable('refused_tries_by_day')
    .addColumn('giorno', 'text', (c) => c.primaryKey().notNull())
    .addColumn('tentativi', 'integer', (c) => c.notNull())
    .execute();
  await db
    .deleteFrom('rate_limits')
    .where((eb) => eb.or([eb('key', 'like', 'code:%'), eb('key', 'like', 'sign-in:%')]))
    .execute();
  await db.schema.dropTable('rateLimit').ifExists().execute();
}

type Counters = { rate_limits: { key: string } };
