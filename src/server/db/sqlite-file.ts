import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';

/** Maximum time that a call may block the process for another process's lock, in ms. Longer waits are asynchronous. */
const BUSY_TIMEOUT_MS = 50;
const CACHED_STATEMENTS = 500;

type Prepared = { statement: StatementSync; reader: boolean; booleans: string[] };
type Row = Record<string, unknown>;

/**
 * An open connection to the file with its prepared statements. It isn't reopened after a failed write: reopening would read a rejected
 * commit from the log, while this connection overwrites it.
 */
export type SqliteFile = {
  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R>;
  iterate<R>(sql: string, parameters: readonly unknown[]): IterableIterator<R>;
  inTransaction(): boolean;
  close(): void;
};

/**
 * Opens the file and creates it if missing. Every committed transaction survives a power cut (WAL with a sync per commit).
 * @param readOnly opens it for committed data only, next to the writing connection; the file must exist
 */
export function openSqliteFile(path: string, { readOnly = false } = {}): SqliteFile {
  const database = readOnly
    ? new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT_MS })
    : openDatabase(path);
  const statements = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const cached = statements.get(sql);
    if (cached) return cached;
    if (statements.size >= CACHED_STATEMENTS) statements.clear();
    const prepared = describe(database.prepare(sql));
    statements.set(sql, prepared);
    return prepared;
  }

  return {
    run(sql, parameters) {
      // A schema change affects the results of cached statements.
      if (changesTables(sql)) statements.clear();
      return execute(prepare(sql), parameters);
    },
    *iterate<R>(sql: string, parameters: readonly unknown[]) {
      const prepared = describe(database.prepare(sql));
      for (const row of prepared.statement.iterate(...parameters.map(toSqlite)))
        yield fromSqlite(prepared, row) as R;
    },
    inTransaction: () => database.isTransaction,
    close: () => database.close(),
  };
}

export const changesTables = (sql: string): boolean => /^\s*(create|alter|drop)\b/i.test(sql);

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    // On macOS a plain sync only reaches the disk's cache; elsewhere these settings have no effect.
    database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function describe(statement: StatementSync): Prepared {
  const columns = statement.columns();
  const booleans = columns
    .filter((column) => column.type?.toLowerCase() === 'boolean')
    .map((column) => column.name);
  return { statement, reader: columns.length > 0, booleans };
}

function execute<R>(prepared: Prepared, parameters: readonly unknown[]): QueryResult<R> {
  const values = parameters.map(toSqlite);
  if (prepared.reader) {
    return { rows: prepared.statement.all(...values).map((row) => fromSqlite(prepared, row)) as R[] };
  }
  const { changes, lastInsertRowid } = prepared.statement.run(...values);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return value as SQLInputValue;
}

function fromSqlite(prepared: Prepared, stored: Row): Row {
  const row = { ...stored };
  for (const name of prepared.booleans) if (row[name] !== null) row[name] = row[name] !== 0;
  return row;
}
