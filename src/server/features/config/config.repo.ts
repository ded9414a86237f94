import type { Selectable, Updateable } from 'kysely';
import { mediaIdOf } from '../../../domain/media.ts';
import { contactText } from '../../../domain/recipient-name.ts';
import { statement } from '../../db/statement.ts';
import type { AdminConfigTable, Db } from '../../db/tables.ts';
import { EMPTY_FIELDS } from './config-row.ts';

export type ConfigRow = Selectable<AdminConfigTable>;
export type ConfigChange = Omit<Updateable<AdminConfigTable>, 'id' | 'versione' | 'updated_at'>;

/** Returns the only row, or undefined before the first save. */
export async function findConfig(db: Db): Promise<ConfigRow | undefined> {
  return (await configQuery(db, {}))[0];
}

const configQuery = statement()((db) => db.selectFrom('admin_config').selectAll().where('id', '=', 1));

const SITE_FIELDS = [
  'data_laurea',
  'keepsake_until',
  'dress',
  'privacy_notice',
  'footer_text',
  'tries_kept_days',
] as const;

/** `contatto` as the visitor reads it. */
type Site = Pick<ConfigRow, (typeof SITE_FIELDS)[number] | 'contatto'>;

/** Returns settings that apply to every visit, independent of its snapshot; undefined before the first save. */
export async function findSiteSettings(db: Db): Promise<Site | undefined> {
  const row = await db
    .selectFrom('admin_config')
    .select([...SITE_FIELDS, 'contatto', 'recipient_name'])
    .where('id', '=', 1)
    .executeTakeFirst();
  return row && { ...row, contatto: contactText(row) };
}

/** Updates the row if it is still at `versione`. Returns the new version, or undefined if it is not. */
export async function updateConfig(
  tx: Db,
  change: ConfigChange,
  versione: number,
  now: Date,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('admin_config')
    .set((set) => ({ ...change, versione: set('versione', '+', 1), updated_at: now.toISOString() }))
    .where('id', '=', 1)
    .where('versione', '=', versione)
    .returning('versione')
    .executeTakeFirst();
  return row?.versione;
}

/**
 * Updates the row regardless of its version and creates it if necessary. For changes that depend on no earlier read.
 * Returns the new version.
 */
export async function setConfig(tx: Db, change: ConfigChange, now: Date): Promise<number> {
  await ensureConfig(tx, now);
  const row = await tx
    .updateTable('admin_config')
    .set((set) => ({ ...change, versione: set('versione', '+', 1), updated_at: now.toISOString() }))
    .where('id', '=', 1)
    .returning('versione')
    .executeTakeFirstOrThrow();
  return row.versione;
}

/**
 * Locks the row until the transaction ends, if it exists. Files of the configuration are selected, replaced and deleted
 * one at a time, so that it never refers to a deleted file.
 */
export async function lockConfig(tx: Db): Promise<void> {
  await tx
    .updateTable('admin_config')
    .set((eb) => ({ versione: eb.ref('versione') }))
    .where('id', '=', 1)
    .execute();
}

/** Creates the row at version 0 if it does not exist. */
export async function ensureConfig(tx: Db, now: Date): Promise<void> {
  await tx
    .insertInto('admin_config')
    .values({
      id: 1,
      ...EMPTY_FIELDS,
      versione: 0,
      updated_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Returns the duration of the song in seconds, or null if unknown. */
export async function songSeconds(tx: Db, url: string | null): Promise<number | null> {
  const id = mediaIdOf(url) ?? '';
  const row = await tx.selectFrom('media').select('seconds').where('id', '=', id).executeTakeFirst();
  return row?.seconds ?? null;
}
