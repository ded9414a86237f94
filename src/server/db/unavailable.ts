import { errorCode, sqliteCode } from './errors.ts';

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
