import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Dialect, Kysely } from 'kysely';
import type { InTransaction } from '../deps.ts';
import type { Env } from '../env.ts';
import { errorCode, isDiskFull, sqliteCode } from './errors.ts';
import { type BeforeUpgrade, migrateWithBackup, UpgradeFailed } from './migrate.ts';
import { checkNotMissing, lockDataDir } from './owner.ts';
import type { Connections } from './postgres.ts';
import { sqliteDialect } from './sqlite.ts';
import type { Db, Tables } from './tables.ts';
import { postgresTransactions, retryWhenDiskFull, sqliteTransactions } from './transaction.ts';

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

/** A short-lived connection for a command; the server may be running. */
export type CommandDatabase = { db: Db; inTransaction: InTransaction; close(): Promise<void> };

/**
 * Opens the database for a command that changes a few rows, also while the server is running: two processes can write to SQLite in turn,
 * and the server's lock of the data directory isn't touched. Null if there is no SQLite file yet.
 */
export async function openCommandDatabase(
  env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  beforeUpgrade?: BeforeUpgrade,
): Promise<CommandDatabase | null> {
  if (env.DATABASE_URL !== undefined) return openDatabase(env, { beforeUpgrade });
  const file = join(env.DATA_DIR, 'sorpresa.db');
  if (!existsSync(file)) return null;
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
  return { db, inTransaction: sqliteTransactions(db), close: () => db.destroy() };
}

/** A database of any version, possibly empty. */
export type Unmigrated = { db: Db; kind: 'sqlite' | 'postgres'; close(): Promise<void> };

/**
 * Opens the database for the archive, without migrations and without locking the data directory. Statements may take ten minutes. Creates
 * the SQLite file if missing.
 */
export async function openUnmigrated({
  DATA_DIR,
  DATABASE_URL,
}: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>): Promise<Unmigrated> {
  const dialect =
    DATABASE_URL === undefined
      ? sqliteDialect(join(DATA_DIR, 'sorpresa.db'))
      : await slowPostgres(DATABASE_URL);
  const db = new Kysely<Tables>({ dialect });
  return { db, kind: DATABASE_URL === undefined ? 'sqlite' : 'postgres', close: () => db.destroy() };
}

async function slowPostgres(address: string): Promise<Dialect> {
  const { createPool, postgresDialect } = await import('./postgres.ts');
  return postgresDialect(
    createPool(address, { size: 1, statementTimeout: 600_000, onConnectionError: () => undefined }),
  );
}

/** Remedies for an SQLite file that can't be opened, by primary result code. */
const SQLITE_REMEDY: Record<number, string> = {
  3: 'The user who runs the product must be allowed to read and write it and its folder.',
  8: 'The user who runs the product must be allowed to write it and its folder, and the disk must not be read-only.',
  10: 'The disk failed to read or write it: look at the disk, and restore a backup onto a good one.',
  11: 'It is damaged: restore a backup.',
  13: 'The disk is full: make room on it.',
  14: 'It must be a file, and the user who runs the product must be allowed to read and write it and its folder.',
  26: 'It is no SQLite database, or damaged: restore a backup.',
};
/** System errors of a folder without write access. */
const NO_ACCESS = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Opens the database like `openDatabase`. An error names the database and the remedy, unless it has its own explanation. */
export async function openDatabaseOrExplain(...args: Parameters<typeof openDatabase>): Promise<Database> {
  const [env] = args;
  try {
    return await openDatabase(...args);
  } catch (error) {
    throw explainDatabaseError(env, error);
  }
}

/** Converts a database error to one that names the database and the remedy; returns any other error unchanged. */
export function explainDatabaseError(env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>, error: unknown): unknown {
  if (error instanceof UpgradeFailed) return error;
  const text =
    env.DATABASE_URL === undefined ? sqliteMessage(env, error) : postgresMessage(env.DATABASE_URL, error);
  return text === null ? error : new Error(text, { cause: error });
}

function sqliteMessage({ DATA_DIR }: Pick<Env, 'DATA_DIR'>, error: unknown): string | null {
  const code = sqliteCode(error);
  const family = isDiskFull(error) ? 13 : NO_ACCESS.has(errorCode(error)) ? 8 : (code ?? 0) & 0xff;
  const remedy = SQLITE_REMEDY[family];
  if (remedy === undefined) return null;
  return `The database ${resolve(join(DATA_DIR, 'sorpresa.db'))} can't be opened (${messageOf(error)}). ${remedy}`;
}

/** Selects by error codes of the system or PostgreSQL; other failures explain themselves or are bugs. */
function postgresMessage(address: string, error: unknown): string | null {
  const code = errorCode(error);
  const encrypted = encryptionRemedy(code, messageOf(error));
  if (encrypted === null && !/^(08|28|3D|53|57)\w{3}$|^E[A-Z_]+$/.test(code)) return null;
  const remedy = /^(28|3D)/.test(code)
    ? 'Correct DATABASE_URL, or make the user and the database there.'
    : (encrypted ?? 'Start it, or correct DATABASE_URL.');
  const { host, pathname } = new URL(address);
  return `The database ${host}${pathname} of DATABASE_URL can't be opened (${messageOf(error) || code}). ${remedy}`;
}

/** Returns the remedy if either side refused encryption, otherwise null. */
function encryptionRemedy(code: string, message: string): string | null {
  if (/support SSL connections/.test(message))
    return 'Take sslmode out of DATABASE_URL, or switch TLS on there.';
  if (/^CERT_|ALTNAME/.test(code))
    return 'Correct its certificate, or the host in DATABASE_URL, where sslmode=no-verify takes any certificate.';
  return /SELF_SIGNED|^UNABLE_TO_/.test(code)
    ? "Name its authority's certificate in DATABASE_URL (sslmode=verify-full&sslrootcert=FILE), where sslmode=no-verify takes any certificate."
    : null;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
