import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely';
import { CompiledQuery, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { isBusy, isNoRoom } from './errors.ts';
import { createMutex } from './mutex.ts';
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts';
import { DatabaseUnavailable, named } from './unavailable.ts';
import { assertOutsideWork } from './work-scope.ts';

/** How long a statement waits for a lock held by another process, in ms. */
const LOCK_PATIENCE = 3_000;
const LOCK_RETRY = 25;
/** How long one waits for the connection, in ms: longer than any honest queue, so that a work waiting for itself ends. */
const TURN_PATIENCE = 10_000;

/** One hold of the connection, from acquisition to release. */
type Lease = DatabaseConnection & {
  begin(settings: TransactionSettings): Promise<void>;
  commit(): void;
  rollback(): void;
};

/**
 * Kysely on `node:sqlite`: one connection, behind a lock. Every transaction is `BEGIN IMMEDIATE`, but one that only reads.
 * @param onFull called when the disk has no room: what can be let go is let go at once
 */
export function sqliteDialect(path: string, onFull: () => void = () => undefined): Dialect {
  return {
    createAdapter: () => adapter(),
    createDriver: () => createDriver(path, onFull),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function adapter(): SqliteAdapter {
  const base = new SqliteAdapter();
  return Object.defineProperties(base, {
    // The driver below locks by itself.
    supportsMultipleConnections: { value: true },
    // SQLite rolls back its schema changes too: a migration cut in the middle leaves nothing.
    supportsTransactionalDdl: { value: true },
  });
}

function createDriver(path: string, onFull: () => void): Driver {
  const mutex = createMutex(TURN_PATIENCE);
  let file: SqliteFile | null = null;
  return {
    async init() {
      file ??= openRoomily(path, onFull);
    },
    async acquireConnection() {
      assertOutsideWork();
      const asked = performance.now();
      await mutex.acquire();
      try {
        if (!file) throw new DatabaseUnavailable('The database is closed');
        return createLease(file, { deadline: asked + LOCK_PATIENCE, onFull });
      } catch (error) {
        mutex.release();
        throw named(error);
      }
    },
    beginTransaction: (lease: Lease, settings) => lease.begin(settings),
    commitTransaction: async (lease: Lease) => lease.commit(),
    rollbackTransaction: async (lease: Lease) => lease.rollback(),
    releaseConnection: async () => mutex.release(),
    async destroy() {
      await mutex.acquire();
      file?.close();
      file = null;
      mutex.release();
    },
    ...savepoints(),
  };
}

function openRoomily(path: string, onFull: () => void): SqliteFile {
  try {
    return openSqliteFile(path);
  } catch (error) {
    if (!isNoRoom(error)) throw error;
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

type Patience = { deadline: number; onFull: () => void };

function createLease(file: SqliteFile, { deadline, onFull }: Patience): Lease {
  let begun = false;

  function run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    // A full disk or a failed write may have rolled everything back: what follows must not be committed one by one.
    if (begun && !file.inTransaction()) throw new DatabaseUnavailable('The database undid the transaction');
    try {
      return file.run(sql, parameters);
    } catch (error) {
      if (isNoRoom(error)) onFull();
      throw error;
    }
  }

  return {
    async executeQuery({ sql, parameters }) {
      return begun ? inWords(() => run(sql, parameters)) : patiently(() => run(sql, parameters), deadline);
    },
    async *streamQuery<R>({ sql, parameters }: CompiledQuery) {
      for (const row of file.iterate<R>(sql, parameters)) yield { rows: [row] };
    },
    async begin({ accessMode }) {
      await patiently(() => run(accessMode === 'read only' ? 'begin' : 'begin immediate'), deadline);
      begun = true;
    },
    commit() {
      inWords(() => run('commit'));
      begun = false;
    },
    rollback() {
      begun = false;
      if (file.inTransaction()) inWords(() => run('rollback'));
    },
  };
}

/**
 * Nothing has happened yet when a statement outside a transaction, or its beginning, finds the file locked or the disk full: it can be asked
 * again; where there was no room, once, as `run` has made some.
 */
async function patiently<R>(run: () => R, deadline: number): Promise<R> {
  for (let madeRoom = false; ; ) {
    try {
      return run();
    } catch (error) {
      const full = isNoRoom(error);
      if (full ? madeRoom : !isBusy(error) || performance.now() > deadline) throw named(error);
      madeRoom ||= full;
    }
    await delay(LOCK_RETRY);
  }
}

function inWords<R>(run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw named(error);
  }
}
