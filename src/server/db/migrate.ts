import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { upgradeTexts } from '../../texts/commands.ts';
import * as firstTables from './migrations/001-first-tables.ts';
import * as signIn from './migrations/002-sign-in.ts';
import * as workshop from './migrations/003-workshop.ts';
import * as rehearsal from './migrations/004-rehearsal.ts';
import * as refusedTries from './migrations/005-refused-tries.ts';
import * as pageLife from './migrations/006-page-life.ts';
import * as readingTime from './migrations/007-reading-time.ts';
import * as notifications from './migrations/008-notifications.ts';
import * as loudness from './migrations/011-loudness.ts';
import * as songStart from './migrations/012-song-start.ts';
import * as focusPoint from './migrations/013-focus-point.ts';
import * as lightFilms from './migrations/014-light-films.ts';
import * as captions from './migrations/015-captions.ts';
import * as sounds from './migrations/016-sounds.ts';
import * as email from './migrations/017-email.ts';
import * as diagnosis from './migrations/018-diagnosis.ts';
import * as recipientName from './migrations/019-recipient-name.ts';
import * as dress from './migrations/020-dress.ts';
import * as opening from './migrations/021-opening.ts';
import * as keepsake from './migrations/022-keepsake.ts';
import * as hues from './migrations/023-hues.ts';
import * as ready from './migrations/024-ready.ts';
import * as bin from './migrations/026-bin.ts';
import * as planB from './migrations/029-plan-b.ts';
import * as lookingUp from './migrations/030-looking-up.ts';
import * as planBKept from './migrations/031-plan-b-kept.ts';
import * as visitSnapshots from './migrations/032-visit-snapshots.ts';
import * as privacy from './migrations/034-privacy.ts';
import * as installIdentity from './migrations/035-install-identity.ts';
import * as nodes from './migrations/036-nodes.ts';
import * as counted from './migrations/038-counted.ts';
import * as ticketPages from './migrations/039-ticket-pages.ts';
import * as tunnelAddress from './migrations/040-tunnel-address.ts';
import * as soundEffects from './migrations/041-sound-effects.ts';
import * as secondTripSwitch from './migrations/042-second-trip-switch.ts';
import * as ownTexts from './migrations/043-own-texts.ts';
import type { Db } from './tables.ts';

/** Migrations by name; they run in the order of their names. */
const MIGRATIONS: Record<string, Migration> = {
  '001-first-tables': firstTables,
  '002-sign-in': signIn,
  '003-workshop': workshop,
  '004-rehearsal': rehearsal,
  '005-refused-tries': refusedTries,
  '006-page-life': pageLife,
  '007-reading-time': readingTime,
  '008-notifications': notifications,
  '011-loudness': loudness,
  '012-song-start': songStart,
  '013-focus-point': focusPoint,
  '014-light-films': lightFilms,
  '015-captions': captions,
  '016-sounds': sounds,
  '017-email': email,
  '018-diagnosis': diagnosis,
  '019-recipient-name': recipientName,
  '020-dress': dress,
  '021-opening': opening,
  '022-keepsake': keepsake,
  '023-hues': hues,
  '024-ready': ready,
  '026-bin': bin,
  '029-plan-b': planB,
  '030-looking-up': lookingUp,
  '031-plan-b-kept': planBKept,
  '032-visit-snapshots': visitSnapshots,
  '034-privacy': privacy,
  '035-install-identity': installIdentity,
  '036-nodes': nodes,
  '038-counted': counted,
  '039-ticket-pages': ticketPages,
  '040-tunnel-address': tunnelAddress,
  '041-sound-effects': soundEffects,
  '042-second-trip-switch': secondTripSwitch,
  '043-own-texts': ownTexts,
};

/** Returns true if this version has the migration. */
export const isKnownMigration = (name: string): boolean => Object.hasOwn(MIGRATIONS, name);

/** Returns the last migration of this version. */
export const latestMigration = (): string => Object.keys(MIGRATIONS).toSorted().at(-1) ?? '';

/**
 * Runs all pending migrations in one transaction under a lock: after a crash the old tables remain complete, and of two nodes that start
 * together one waits for the other. Rejects with the error of a migration.
 * @param upTo last migration to run, for tests with old tables; all by default
 */
export async function migrate<T>(db: Kysely<T>, upTo?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) throw error;
}

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
