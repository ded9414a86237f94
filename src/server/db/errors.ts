const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
/** UNIQUE, PRIMARYKEY, ROWID. */
const SQLITE_UNIQUE = [2067, 1555, 2579];
const SQLITE_CHECK = 275;

/** The extended result code of an SQLite error, or null. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode;
}

/** FULL, and the log's index that can't grow. */
const SQLITE_NO_ROOM = [13, 4874];
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);

/** Whether there was no room for it, in the words of SQLite, PostgreSQL or the file system, or because of such an error. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    SQLITE_NO_ROOM.includes(sqliteCode(error) ?? 0) ||
    NO_ROOM.has(errorCode(error)) ||
    isDiskFull(error.cause)
  );
}

/** PostgreSQL's SQLSTATE or the system's error name, or an empty text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function sqliteFamily(error: unknown): number | null {
  const code = sqliteCode(error);
  return code === null ? null : code & 0xff;
}

/** Whether the error says that a row with the same unique value exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return SQLITE_UNIQUE.includes(sqliteCode(error) ?? 0) || errorCode(error) === '23505';
}

/** Whether the error says that a CHECK constraint refused the row. */
export function isCheckViolation(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_CHECK || errorCode(error) === '23514';
}

/** Whether another connection holds what this one asked for (SQLite). */
export function isBusy(error: unknown): boolean {
  const family = sqliteFamily(error);
  return family === SQLITE_BUSY || family === SQLITE_LOCKED;
}

/** A work found that another one has overtaken it: nothing of it is kept, and it runs again. */
export class RetryTransaction extends Error {
  override name = 'RetryTransaction';
  readonly code = '40001';
}

/** Whether two transactions got in each other's way and this one may simply run again (PostgreSQL). */
export function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(errorCode(error));
}
