import type { Kysely } from 'kysely';

/** Adds the tunnel address of a visit's last entry; null without a tunnel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('active_sessions').addColumn('tunnel_address', 'text').execute();
}
