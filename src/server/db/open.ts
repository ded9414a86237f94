import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { InTransaction } from '../deps.ts';
import type { Env } from '../env.ts';
import { checkNotMissing } from './lost.ts';
import { lockDataDir } from './owner.ts';
import type { Connections } from './postgres.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Db, Tables } from './tables.ts';
import { postgresTransactions, retryWhenDiskFull, sqliteTransactions } from './transaction.ts';
import { type BeforeUpgrade, migrateWithBackup } from './upgrade.ts';

/** An open database with its tables up to date. */
export type Database = {
  db: Db;
  inTransaction: InTransaction;
  close(): Promise<void>;
} & ({ kind: 'sqlite' } | { kind: 'postgres'; pool: Connections });

/** Key of the advisory lock; any number that nothing else uses. */
const UPGRADE_LOCK = 7_105_202_611;

/** Loaded on demand: SQLite doesn't need PostgreSQL's client. */
const postgres = () => import('./postgres.ts');

type Settings = Pick<Env, 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>;
type Options = {
  onConnectionError?: (error: Error) => void;
  /** Called when the disk is full, to free space. */
  onFull?: () => void;
  beforeUpgrade?: BeforeUpgrade | undefined;
};

/**
 * Opens PostgreSQL if `DATABASE_URL` is set, otherwise `sorpresa.db` in the data directory, and runs the migrations. Rejects with
 * `DataDirInUse` if another process owns that file, with `DatabaseMissing` if the data directory belongs to another database, and with the
 * errors of `migrateWithBackup`.
 */
export async function openDatabase(env: Settings, options: Options = {}): Promise<Database> {
  const { onConnectionError = () => undefined, onFull = () => undefined, beforeUpgrade } = options;
  const database = await (env.DATABASE_URL === undefined
    ? openSqlite(env.DATA_DIR, onFull, beforeUpgrade)
    : openPostgres(env.DATA_DIR, env.DATABASE_URL, {
        onConnectionError,
        beforeUpgrade,
        prepared: env.DATABASE_DIRECT_URL === undefined,
      }));
  return { ...database, inTransaction: retryWhenDiskFull(database.inTransaction, onFull) };
}

async function openSqlite(
  dataDir: string,
  onFull: () => void,
  beforeUpgrade: BeforeUpgrade | undefined,
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'sorpresa.db');
  const refuseWithoutTables = checkNotMissing(dataDir, file);
  const unlock = lockDataDir(dataDir, new Date());
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, onFull) });
  const close = async () => {
    await db.destroy();
    unlock();
  };
  await closeOnError(
    refuseWithoutTables(db).then(() => migrateWithBackup({ db, kind: 'sqlite' }, dataDir, beforeUpgrade)),
    close,
  );
  return { kind: 'sqlite', db, inTransaction: sqliteTransactions(db), close };
}

type PostgresOptions = {
  onConnectionError: (error: Error) => void;
  beforeUpgrade: BeforeUpgrade | undefined;
  prepared: boolean;
};

async function openPostgres(
  dataDir: string,
  connectionString: string,
  { onConnectionError, beforeUpgrade, prepared }: PostgresOptions,
): Promise<Database> {
  await migratePostgres(checkNotMissing(dataDir, null), connectionString, {
    onConnectionError,
    beforeUpgrade,
  });
  const { createPool, postgresDialect } = await postgres();
  const pool = createPool(connectionString, {
    size: 10,
    statementTimeout: 5_000,
    onConnectionError,
    prepared,
  });
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) });
  return {
    kind: 'postgres',
    db,
    inTransaction: postgresTransactions(db, pool.names),
    pool,
    close: () => db.destroy(),
  };
}

/** Uses a separate pool: a migration, or the wait for another node's, may take longer than a request's timeout. */
async function migratePostgres(
  refuseWithoutTables: (db: Db) => Promise<void>,
  connectionString: string,
  { onConnectionError, beforeUpgrade }: Omit<PostgresOptions, 'prepared'>,
): Promise<void> {
  const { createPool, postgresDialect } = await postgres();
  const pool = createPool(connectionString, { size: 2, statementTimeout: 10 * 60_000, onConnectionError });
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) });
  const close = () => db.destroy();
  await closeOnError(
    refuseWithoutTables(db).then(() =>
      withUpgradeLock(pool, () => migrateWithBackup({ db, kind: 'postgres' }, 'DATABASE_URL', beforeUpgrade)),
    ),
    close,
  );
  await close();
}

/** Lets one node back up and migrate; nodes that start at the same time wait and find it done. */
async function withUpgradeLock(pool: Connections, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    // Held by a transaction, not by a session: a pooler may use another connection for each statement of a session.
    await client.query('begin');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [UPGRADE_LOCK]);
    await work();
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

async function closeOnError(step: Promise<void>, close: () => Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    await close();
    throw error;
  }
}
