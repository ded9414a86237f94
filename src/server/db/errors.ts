const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
/** UNIQUE, PRIMARYKEY, ROWID. */
const SQLITE_UNIQUE = [2067, 1555, 2579];
const SQLITE_CHECK = 275;

/** Returns the extended result code of an SQLite error, or null. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode;
}

/** FULL, and an index of the log that can't grow. */
const SQLITE_NO_ROOM = [13, 4874];
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);

/** Returns true if the error or its cause is a full disk, as reported by SQLite, PostgreSQL or the file system. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    SQLITE_NO_ROOM.includes(sqliteCode(error) ?? 0) ||
    NO_ROOM.has(errorCode(error)) ||
    isDiskFull(error.cause)
  );
}

/** Returns PostgreSQL's SQLSTATE or the system's error name, or ''. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function sqliteFamily(error: unknown): number | null {
  const code = sqliteCode(error);
  return code === null ? null : code & 0xff;
}

/** Returns true if a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  return SQLITE_UNIQUE.includes(sqliteCode(error) ?? 0) || errorCode(error) === '23505';
}

/** Returns true if a CHECK constraint rejected the row. */
export function isCheckViolation(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_CHECK || errorCode(error) === '23514';
}

/** Returns true if another connection holds the lock (SQLite). */
export function isBusy(error: unknown): boolean {
  const family = sqliteFamily(error);
  return family === SQLITE_BUSY || family === SQLITE_LOCKED;
}

/** The transaction was overtaken by another one: it is rolled back and runs again. */
export class RetryTransaction extends Error {
  override name = 'RetryTransaction';
  readonly code = '40001';
}

/** Returns true if transactions conflicted and this one may run again (PostgreSQL). */
export function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(errorCode(error));
}

/**
 * The database is temporarily unavailable (locked, full, unreachable, restarting); a retry may succeed. Nothing was stored, except that a
 * PostgreSQL connection lost during COMMIT may have committed everything: retries need their own idempotency key.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL: the environment fails, not the statement. */
const SQLITE_UNAVAILABLE = [5, 6, 7, 8, 10, 13, 14, 15];
/**
 * Connection failures, missing resources, shutdown, the two configured timeouts (statement, idle in transaction), a read-only server, and
 * conflicts.
 */
const POSTGRES_UNAVAILABLE = /^(08...|25006|53...|57P0.|57014|25P03|25P04|55P03|58030|40001|40P01)$/;
const NETWORK_UNAVAILABLE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of `pg` without a code. */
const CLIENT_UNAVAILABLE =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Connection ended/;

/** Returns true if the failure is the database's state, not the caller's mistake: the cause of an HTTP 503. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = sqliteCode(error);
  if (code !== null) return SQLITE_UNAVAILABLE.includes(code & 0xff);
  const text = errorCode(error);
  if (POSTGRES_UNAVAILABLE.test(text) || NETWORK_UNAVAILABLE.test(text)) return true;
  return error instanceof Error && CLIENT_UNAVAILABLE.test(error.message);
}

/** Returns the error, wrapped in `DatabaseUnavailable` if it means that. */
export function toDatabaseUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  return new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
}
