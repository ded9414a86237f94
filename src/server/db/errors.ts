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

/** PostgreSQL's SQLSTATE or the system's error name, or an empty text. */
export function textCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function sqliteFamily(error: unknown): number | null {
  const code = sqliteCode(error);
  return code === null ? null : code & 0xff;
}

/** Whether the error says that a row with the same unique value exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return SQLITE_UNIQUE.includes(sqliteCode(error) ?? 0) || textCode(error) === '23505';
}

/** Whether the error says that a CHECK constraint refused the row. */
export function isCheckViolation(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_CHECK || textCode(error) === '23514';
}

/** Whether another connection holds what this one asked for (SQLite). */
export function isBusy(error: unknown): boolean {
  const family = sqliteFamily(error);
  return family === SQLITE_BUSY || family === SQLITE_LOCKED;
}

/** Whether two transactions got in each other's way and this one may simply run again (PostgreSQL). */
export function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(textCode(error));
}
