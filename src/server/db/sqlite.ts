import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
  ValueNode,
} from 'kysely';
import { DatabaseUnavailable, isBusy, isDiskFull, toDatabaseUnavailable } from './errors.ts';
import { createMutex, type Mutex } from './mutex.ts';
import { assertNotInTransaction } from './transaction.ts';

/** Timeout for a lock held by another process, in ms. */
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_RETRY_MS = 25;
/** Timeout for the connection in ms: longer than any real queue, so that a transaction that waits for itself fails. */
const QUEUE_TIMEOUT_MS = 10_000;

/**
 * Kysely's connection from acquisition to release. It locks the writing connection at its first use; a `select` outside a transaction uses
 * the reading connection without a wait.
 */
type LeasedConnection = DatabaseConnection & {
  begin(settings: TransactionSettings): Promise<void>;
  commit(): void;
  rollback(): void;
  release(): void;
};

/**
 * Kysely's dialect for `node:sqlite`: one writing connection behind a lock, and one that reads committed data without waiting. Transactions
 * begin with `BEGIN IMMEDIATE`, except read-only ones.
 * @param onFull called when the disk is full; frees space synchronously
 */
export function sqliteDialect(path: string, onFull: () => void = () => undefined): Dialect {
  return {
    createAdapter: () => adapter(),
    createDriver: () => createDriver(path, onFull),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  };
}

/** Writes limits as numbers: SQLite plans a prepared query again whenever its limit is bound, which costs several times the query. */
class Compiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    const rows = ValueNode.is(limit) ? limit.value : undefined;
    this.append('limit ');
    if (Number.isSafeInteger(rows)) this.append(String(rows));
    else this.visitNode(limit);
  }
}

function adapter(): SqliteAdapter {
  const base = new SqliteAdapter();
  return Object.defineProperties(base, {
    // The driver below has its own lock.
    supportsMultipleConnections: { value: true },
    // SQLite also rolls back schema changes: an interrupted migration leaves nothing.
    supportsTransactionalDdl: { value: true },
  });
}

function createDriver(path: string, onFull: () => void): Driver {
  const mutex = createMutex(QUEUE_TIMEOUT_MS);
  let files: Files | null = null;
  return {
    async init() {
      files ??= openFiles(path, onFull);
    },
    async acquireConnection() {
      assertNotInTransaction();
      const open = () => {
        if (!files) throw new DatabaseUnavailable('The database is closed');
        return files;
      };
      return createLease({ open, mutex, onFull });
    },
    beginTransaction: (lease: LeasedConnection, settings) => lease.begin(settings),
    commitTransaction: async (lease: LeasedConnection) => lease.commit(),
    rollbackTransaction: async (lease: LeasedConnection) => lease.rollback(),
    releaseConnection: async (lease: LeasedConnection) => lease.release(),
    async destroy() {
      await mutex.acquire();
      files?.close();
      files = null;
      mutex.release();
    },
    ...savepoints(),
  };
}

/** The two connections to the file. */
type Files = {
  writer: SqliteFile;
  reader(): SqliteFile;
  /** Reopens the reading connection after a schema change, because it caches the schema. */
  reopenReader(): void;
  close(): void;
};

function openFiles(path: string, onFull: () => void): Files {
  const writer = openWithRetry(path, onFull);
  let reader: SqliteFile | null = null;
  return {
    writer,
    reader: () => (reader ??= openSqliteFile(path, { readOnly: true })),
    reopenReader() {
      reader?.close();
      reader = null;
    },
    close() {
      // The last connection to close removes the log and must be able to write.
      reader?.close();
      writer.close();
    },
  };
}

function openWithRetry(path: string, onFull: () => void): SqliteFile {
  try {
    return openSqliteFile(path);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    onFull();
    return openSqliteFile(path);
  }
}

function savepoints(): Pick<Driver, 'savepoint' | 'rollbackToSavepoint' | 'releaseSavepoint'> {
  return {
    savepoint: (connection, name) => runNamed(connection, 'savepoint', name),
    rollbackToSavepoint: (connection, name) => runNamed(connection, 'rollback to', name),
    releaseSavepoint: (connection, name) => runNamed(connection, 'release', name),
  };
}

async function runNamed(connection: DatabaseConnection, command: string, name: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(`${command} "${name.replaceAll('"', '""')}"`));
}

type DialectContext = { open: () => Files; mutex: Mutex; onFull: () => void };

function createLease({ open, mutex, onFull }: DialectContext): LeasedConnection {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  let isLocked = false;
  let begun = false;
  let hasSchemaChanged = false;

  /** Locks and returns the writing connection. */
  async function lockWriter(): Promise<SqliteFile> {
    if (!isLocked) await mutex.acquire();
    isLocked = true;
    return open().writer;
  }

  function run<R>({ writer }: Files, sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    // A full disk or a failed write may have rolled back the transaction: later statements must not be committed one by one.
    if (begun && !writer.inTransaction()) throw new DatabaseUnavailable('The database undid the transaction');
    try {
      hasSchemaChanged ||= changesTables(sql);
      return writer.run(sql, parameters);
    } catch (error) {
      if (isDiskFull(error)) onFull();
      throw error;
    }
  }

  return {
    async executeQuery<R>({ sql, parameters, query }: CompiledQuery) {
      if (begun) return convertErrors(() => run<R>(open(), sql, parameters));
      if (query.kind === 'SelectQueryNode' && !isLocked)
        return retryWhileLocked(() => open().reader().run<R>(sql, parameters), deadline);
      await lockWriter();
      return retryWhileLocked(() => run<R>(open(), sql, parameters), deadline);
    },
    async *streamQuery<R>({ sql, parameters }: CompiledQuery) {
      for (const row of (await lockWriter()).iterate<R>(sql, parameters)) yield { rows: [row] };
    },
    async begin({ accessMode }) {
      await lockWriter();
      await retryWhileLocked(
        () => run(open(), accessMode === 'read only' ? 'begin' : 'begin immediate'),
        deadline,
      );
      begun = true;
    },
    commit() {
      convertErrors(() => run(open(), 'commit'));
      begun = false;
    },
    rollback() {
      begun = false;
      if (open().writer.inTransaction()) convertErrors(() => run(open(), 'rollback'));
    },
    release() {
      if (hasSchemaChanged) open().reopenReader();
      if (isLocked) mutex.release();
      isLocked = false;
    },
  };
}

/**
 * Retries a statement outside a transaction, or a transaction's start, while the file is locked, since nothing has happened yet. After a
 * full disk it retries once, because `run` has freed space.
 */
async function retryWhileLocked<R>(run: () => R, deadline: number): Promise<R> {
  for (let hasFreedSpace = false; ; ) {
    try {
      return run();
    } catch (error) {
      const full = isDiskFull(error);
      if (full ? hasFreedSpace : !isBusy(error) || performance.now() > deadline)
        throw toDatabaseUnavailable(error);
      hasFreedSpace ||= full;
    }
    await delay(LOCK_RETRY_MS);
  }
}

function convertErrors<R>(run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw toDatabaseUnavailable(error);
  }
}

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
