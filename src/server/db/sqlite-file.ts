import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';

/** How long a call may block the whole process for a lock held by another one, in ms. Longer waits are asynchronous. */
const BUSY_TIMEOUT = 50;
const CACHED_STATEMENTS = 500;

type Prepared = { statement: StatementSync; reader: boolean; booleans: string[] };
type Row = Record<string, unknown>;

/**
 * One open connection to the file, with its prepared statements. It is never opened again after a failed write: opening would read a
 * refused commit back from the log, while this connection writes over it.
 */
export type SqliteFile = {
  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R>;
  iterate<R>(sql: string, parameters: readonly unknown[]): IterableIterator<R>;
  inTransaction(): boolean;
  close(): void;
};

/**
 * Opens the file, making it if needed. Every committed transaction survives a power cut (WAL with a sync at each commit).
 * @param readOnly only to look at what is committed, beside the connection that writes; the file has to be there
 */
export function openSqliteFile(path: string, { readOnly = false } = {}): SqliteFile {
  const database = readOnly
    ? new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT })
    : openDatabase(path);
  const statements = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= CACHED_STATEMENTS) statements.clear();
    const prepared = describe(database.prepare(sql));
    statements.set(sql, prepared);
    return prepared;
  }

  return {
    run(sql, parameters) {
      // A change of the tables changes what cached statements return.
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
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    // macOS hands a plain sync to the disk's own cache and no further; elsewhere it changes nothing.
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
