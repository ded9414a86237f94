import { sql } from 'kysely';
import { upgradeTexts } from '../../texts/commands.ts';
import { isKnownMigration, latestMigration, migrate } from './migrate.ts';
import type { Db } from './tables.ts';

/** The database was made by a newer version of the product: what it holds can't be told here. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase';
}

/** The data could not be brought up to date, and are as they were. Its message says what to do. */
export class UpgradeFailed extends Error {
  override name = 'UpgradeFailed';
}

/** An older database, open. `from`: the last migration it has been through. */
export type OutdatedDatabase = { db: Db; kind: 'sqlite' | 'postgres'; from: string };

/** Called before the tables of an older database are changed, to keep a copy; returns where it is. */
export type BeforeUpgrade = (older: OutdatedDatabase) => Promise<string>;

/** The last migration that was run, or null. */
export async function lastMigration(db: Db): Promise<string | null> {
  const internal = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!internal.some(({ name }) => name === 'kysely_migration')) return null;
  const { rows } = await sql<{ name: string | null }>`select max(name) as name from kysely_migration`.execute(
    db,
  );
  return rows[0]?.name ?? null;
}

/**
 * Brings the tables up to date; those of an older version only after `before` has kept a copy of everything. Rejects with `NewerDatabase`,
 * and with `UpgradeFailed` when the copy or a step failed: all steps are one transaction, so nothing has changed then.
 * @param where the data, for people
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
