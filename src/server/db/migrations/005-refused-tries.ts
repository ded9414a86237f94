import type { Kysely } from 'kysely';

/**
 * Refused tries that are only counted, by the day. What the counters of tries held until now was counted by other rules and is forgiven;
 * better-auth's own limits are off, and their table goes.
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
