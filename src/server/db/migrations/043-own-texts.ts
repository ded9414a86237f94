import type { Kysely } from 'kysely';

/**
 * Adds the administrator's own texts: footer of the access screen, share message, and title of the card. Null: the product's text.
 * An empty footer is none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['footer_text', 'share_message', 'card_title'])
    await db.schema.alterTable('admin_config').addColumn(column, 'text').execute();
}
