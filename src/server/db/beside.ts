import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Dialect, Kysely } from 'kysely';
import type { InTransaction } from '../deps.ts';
import type { Env } from '../env.ts';
import { openDatabase } from './open.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Db, Tables } from './tables.ts';
import { sqliteTransactions } from './transaction.ts';
import type { BeforeUpgrade } from './upgrade.ts';

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
