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

/** A database opened for a moment, maybe next to the server that is using it. */
export type CommandDatabase = { db: Db; inTransaction: InTransaction; close(): Promise<void> };

/**
 * For commands that change a few rows while the server may be running: SQLite lets two processes write in turns, and the server's hold of
 * the data directory is left alone. Null when no server has made the SQLite file yet.
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

/** A database as it is: whatever version of the product made it, if any. */
export type Unmigrated = { db: Db; kind: 'sqlite' | 'postgres'; close(): Promise<void> };

/**
 * Opens the database without bringing its tables up to date, and without owning the data directory: for the archive. A step may take ten
 * minutes. Makes the SQLite file if there is none.
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
