import { join, resolve } from 'node:path';
import type { Env } from '../env.ts';
import { errorCode, isDiskFull, sqliteCode } from './errors.ts';
import { type Database, openDatabase } from './open.ts';
import { UpgradeFailed } from './upgrade.ts';

/** Remedies for an SQLite file that can't be opened, by primary result code. */
const SQLITE_REMEDY: Record<number, string> = {
  3: 'The user who runs the product must be allowed to read and write it and its folder.',
  8: 'The user who runs the product must be allowed to write it and its folder, and the disk must not be read-only.',
  10: 'The disk failed to read or write it: look at the disk, and restore a backup onto a good one.',
  11: 'It is damaged: restore a backup.',
  13: 'The disk is full: make room on it.',
  14: 'It must be a file, and the user who runs the product must be allowed to read and write it and its folder.',
  26: 'It is no SQLite database, or damaged: restore a backup.',
};
/** System errors of a folder without write access. */
const NO_ACCESS = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Opens the database like `openDatabase`. An error names the database and the remedy, unless it has its own explanation. */
export async function openDatabaseOrExplain(...args: Parameters<typeof openDatabase>): Promise<Database> {
  const [env] = args;
  try {
    return await openDatabase(...args);
  } catch (error) {
    throw explainDatabaseError(env, error);
  }
}

/** Converts a database error to one that names the database and the remedy; returns any other error unchanged. */
export function explainDatabaseError(env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>, error: unknown): unknown {
  if (error instanceof UpgradeFailed) return error;
  const text =
    env.DATABASE_URL === undefined ? sqliteMessage(env, error) : postgresMessage(env.DATABASE_URL, error);
  return text === null ? error : new Error(text, { cause: error });
}

function sqliteMessage({ DATA_DIR }: Pick<Env, 'DATA_DIR'>, error: unknown): string | null {
  const code = sqliteCode(error);
  const family = isDiskFull(error) ? 13 : NO_ACCESS.has(errorCode(error)) ? 8 : (code ?? 0) & 0xff;
  const remedy = SQLITE_REMEDY[family];
  if (remedy === undefined) return null;
  return `The database ${resolve(join(DATA_DIR, 'sorpresa.db'))} can't be opened (${messageOf(error)}). ${remedy}`;
}

/** Selects by error codes of the system or PostgreSQL; other failures explain themselves or are bugs. */
function postgresMessage(address: string, error: unknown): string | null {
  const code = errorCode(error);
  const encrypted = encryptionRemedy(code, messageOf(error));
  if (encrypted === null && !/^(08|28|3D|53|57)\w{3}$|^E[A-Z_]+$/.test(code)) return null;
  const remedy = /^(28|3D)/.test(code)
    ? 'Correct DATABASE_URL, or make the user and the database there.'
    : (encrypted ?? 'Start it, or correct DATABASE_URL.');
  const { host, pathname } = new URL(address);
  return `The database ${host}${pathname} of DATABASE_URL can't be opened (${messageOf(error) || code}). ${remedy}`;
}

/** Returns the remedy if either side refused encryption, otherwise null. */
function encryptionRemedy(code: string, message: string): string | null {
  if (/support SSL connections/.test(message))
    return 'Take sslmode out of DATABASE_URL, or switch TLS on there.';
  if (/^CERT_|ALTNAME/.test(code))
    return 'Correct its certificate, or the host in DATABASE_URL, where sslmode=no-verify takes any certificate.';
  return /SELF_SIGNED|^UNABLE_TO_/.test(code)
    ? "Name its authority's certificate in DATABASE_URL (sslmode=verify-full&sslrootcert=FILE), where sslmode=no-verify takes any certificate."
    : null;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
