import type { Kysely } from 'kysely';

/** Under which tunnel's address a visit was last let in; null where it came by another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('active_sessions').addColumn('tunnel_address', 'text').execute();
}
