import type { Kysely } from 'kysely';

const SETTINGS = ['smtp_host', 'smtp_user', 'smtp_password', 'email_from', 'email_to'];

/**
 * Adds a message's channel, the notice that it shares with other messages, and the mail server. Messages in the queue belong to Telegram.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('notifications')
    .addColumn('channel', 'text', (c) => c.notNull().defaultTo('telegram'))
    .execute();
  await db.schema.alterTable('notifications').addColumn('notice', 'text').execute();
  for (const name of SETTINGS) await db.schema.alterTable('admin_config').addColumn(name, 'text').execute();
  await db.schema
    .alterTable('admin_config')
    .addColumn('smtp_port', 'integer', (c) => c.notNull().defaultTo(587))
    .execute();
  await db.schema
    .alterTable('admin_config')
    .addColumn('smtp_security', 'text', (c) => c.notNull().defaultTo('starttls'))
    .execute();
}
