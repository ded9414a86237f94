import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from './tables.ts';

/** The data directory is a remainder of an install whose database is missing. A start would create a new install, open to any stranger. */
export class DatabaseMissing extends Error {
  override name = 'DatabaseMissing';
}

/** File in the data directory while a restore runs or after it was interrupted. */
export const RESTORE_MARKER = 'restoring';

/**
 * Checks the data directory before the database is opened. Throws `DatabaseMissing` after an interrupted restore, and if the SQLite file is
 * missing or empty but other files of an install exist. Returns a check of the open database before its migration: it needs tables if such
 * files exist. The order matters, because secrets are created after the tables, also by another node.
 */
export function checkNotMissing(dataDir: string, sqliteFile: string | null): (db: Db) => Promise<void> {
  const remains = findRemains(dataDir);
  if (existsSync(join(dataDir, RESTORE_MARKER)))
    throw new DatabaseMissing(
      `A restore into ${dataDir} was cut short. Run it again on this folder: DATA_DIR=${dataDir} sorpresa restore FILE (in a checkout: npm run restore -- FILE)`,
    );
  if (remains.length > 0 && sqliteFile !== null && !hasBytes(sqliteFile))
    throw new DatabaseMissing(missingMessage(dataDir, remains, `the file ${sqliteFile} is missing or empty`));
  return async (db) => {
    if (remains.length === 0 || (await db.introspection.getTables()).length > 0) return;
    const where = sqliteFile ?? 'the database of DATABASE_URL';
    throw new DatabaseMissing(missingMessage(dataDir, remains, `${where} has no tables`));
  };
}

/** Returns the files that only a start with a database leaves. */
function findRemains(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  const names = readdirSync(dataDir).filter((name) => /^secret-[a-z]+$|^sorpresa\.db-wal$/.test(name));
  const media = join(dataDir, 'media');
  const files = existsSync(media) ? readdirSync(media).filter((name) => !name.startsWith('.')).length : 0;
  const wal = join(dataDir, 'sorpresa.db-wal');
  const remaining = names.filter((name) => !name.endsWith('-wal') || hasBytes(wal));
  return files === 0 ? remaining : [...remaining, `${files} file(s) in media`];
}

const hasBytes = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

function missingMessage(dataDir: string, remains: readonly string[], what: string): string {
  return [
    `The database is missing: ${what}, but ${dataDir} holds ${remains.join(', ')}.`,
    'Starting now would begin anew, open to whoever comes first.',
    `Put the database back (DATA_DIR and DATABASE_URL must belong together), or restore an archive into an empty folder: DATA_DIR=FOLDER sorpresa restore FILE (in a checkout: npm run restore -- FILE).`,
    `To begin anew, empty ${dataDir} or set another DATA_DIR.`,
  ].join('\n');
}
