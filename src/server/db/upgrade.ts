import { sql } from 'kysely';
import { upgradeTexts } from '../../texts/commands.ts';
import { isKnownMigration, latestMigration, migrate } from './migrate.ts';
import type { Db } from './tables.ts';

/** A newer version of the product made the database; this one can't read it. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase';
}

/** The migration failed, and the data are unchanged. The message contains the remedy. */
export class UpgradeFailed extends Error {
  override name = 'UpgradeFailed';
}

/** An open database of an older version. `from`: its last migration. */
export type OutdatedDatabase = { db: Db; kind: 'sqlite' | 'postgres'; from: string };

/** Called before the tables of an older database are changed, to make a backup; returns its location. */
export type BeforeUpgrade = (older: OutdatedDatabase) => Promise<string>;

/** Returns the last migration that was run, or null. */
export async function lastMigration(db: Db): Promise<string | null> {
  const internal = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!internal.some(({ name }) => name === 'kysely_migration')) return null;
  const { rows } = await sql<{ name: string | null }>`select max(name) as name from kysely_migration`.execute(
    db,
  );
  return rows[0]?.name ?? null;
}

/**
 * Migrates the tables; those of an older version only after `before` has made a backup. Rejects with `NewerDatabase`, or with
 * `UpgradeFailed` if the backup or a migration failed: all are one transaction, so nothing has changed then.
 * @param where location of the data, for messages
 */
export async function migrateWithBackup(
  database: Pick<OutdatedDatabase, 'db' | 'kind'>,
  where: string,
  before: BeforeUpgrade | undefined,
): Promise<void> {
  const from = await lastMigration(database.db);
  if (from !== null && !isKnownMigration(from))
    throw new NewerDatabase(upgradeTexts.newer(where, from, latestMigration()));
  const isOlder = from !== null && from !== latestMigration();
  const copy = isOlder && before !== undefined ? await before({ ...database, from }) : null;
  await migrate(database.db).catch((error: unknown) => {
    if (!isOlder) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UpgradeFailed(upgradeTexts.failed(where, reason, copy), { cause: error });
  });
}
