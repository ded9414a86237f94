import { errorCode, sqliteCode } from './errors.ts';

/**
 * The database can't do it now (locked, full, unreachable, restarting); trying again later may help. Nothing of the work was kept, except
 * that a PostgreSQL lost in the middle of a COMMIT may have kept it whole: retries need a key of their own.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL: the place, not the statement, is what fails. */
const SQLITE_UNAVAILABLE = [5, 6, 7, 8, 10, 13, 14, 15];
/**
 * Connection failures, lack of resources, shutdown, the two timeouts we set ourselves (statement, idle in transaction), a server that takes
 * no writes, and lost races.
 */
const POSTGRES_UNAVAILABLE = /^(08...|25006|53...|57P0.|57014|25P03|25P04|55P03|58030|40001|40P01)$/;
const NETWORK_UNAVAILABLE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What `pg` says without a code. */
const CLIENT_UNAVAILABLE =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Connection ended/;

/** Whether the failure is the database's state rather than the caller's mistake: what an HTTP 503 is for. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = sqliteCode(error);
  if (code !== null) return SQLITE_UNAVAILABLE.includes(code & 0xff);
  const text = errorCode(error);
  if (POSTGRES_UNAVAILABLE.test(text) || NETWORK_UNAVAILABLE.test(text)) return true;
  return error instanceof Error && CLIENT_UNAVAILABLE.test(error.message);
}

/** The same error, or a `DatabaseUnavailable` caused by it where that is what it means. */
export function toDatabaseUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  return new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
}
