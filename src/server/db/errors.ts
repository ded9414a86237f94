/** The database can't do it now (locked, full, unreachable, restarting); nothing of the work was kept. Trying again later may help. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

const SQLITE = { unique: [2067, 1555, 2579], check: [275], busy: [5, 6], suspect: [10] } as const;
/** BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL: the place, not the statement, is what fails. */
const SQLITE_UNAVAILABLE = [5, 6, 7, 8, 10, 13, 14, 15];
/** Connection failures, lack of resources, shutdown, and the two timeouts we set ourselves (statement, idle in transaction). */
const POSTGRES_UNAVAILABLE = /^(08...|53...|57P0.|57014|25P03|25P04|55P03|58030|40001|40P01)$/;
const NETWORK_UNAVAILABLE =
  /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)$|^EAI_AGAIN$/;
/** What `pg` says without a code. */
const CLIENT_UNAVAILABLE =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Connection ended/;

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode;
}

function textCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isOneOf(error: unknown, codes: readonly number[]): boolean {
  const code = sqliteCode(error);
  return code !== null && codes.includes(code);
}

/** Whether the error says that a row with the same unique value exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return isOneOf(error, SQLITE.unique) || textCode(error) === '23505';
}

/** Whether the error says that a CHECK constraint refused the row. */
export function isCheckViolation(error: unknown): boolean {
  return isOneOf(error, SQLITE.check) || textCode(error) === '23514';
}

/** Whether another connection holds what this one asked for (SQLite). */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && SQLITE.busy.some((busy) => busy === (code & 0xff));
}

/** Whether the file itself failed (SQLite): the connection is not to be trusted any more. */
export function isFileFailure(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && SQLITE.suspect.some((suspect) => suspect === (code & 0xff));
}

/** Whether two transactions got in each other's way and this one may simply run again (PostgreSQL). */
export function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(textCode(error));
}

/** Whether the failure is the database's state rather than the caller's mistake: what an HTTP 503 is for. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = sqliteCode(error);
  if (code !== null) return SQLITE_UNAVAILABLE.includes(code & 0xff);
  const text = textCode(error);
  if (POSTGRES_UNAVAILABLE.test(text) || NETWORK_UNAVAILABLE.test(text)) return true;
  return error instanceof Error && CLIENT_UNAVAILABLE.test(error.message);
}

/** The same error, or a `DatabaseUnavailable` caused by it where that is what it means. */
export function named(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !isDatabaseUnavailable(error)) return error;
  return new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
}
