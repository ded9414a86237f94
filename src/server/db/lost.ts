import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from './tables.ts';

/**
 * The data directory is what is left of an install: its database is missing. Starting would begin a new one, open to the first stranger.
 */
export class DatabaseMissing extends Error {
  override name = 'DatabaseMissing';
}

/** While a restore is writing, or has been cut short, this lies in the data directory. */
export const RESTORE_MARKER = 'restoring';

/**
 * Looks at the data directory before the database is touched: refuses one that a restore hasn't finished, and an SQLite file that is
 * missing or empty beside what an install leaves. Returns what has to be asked of the open database before its tables are made: whether
 * there are any. The order matters: secrets are made after the tables, by another node as well. Throws `DatabaseMissing`.
 */
export function checkNotMissing(dataDir: string, sqliteFile: string | null): (db: Db) => Promise<void> {
  const remains = remainsIn(dataDir);
  if (existsSync(join(dataDir, RESTORE_MARKER)))
    throw new DatabaseMissing(
      `A restore into ${dataDir} was cut short. Run it again on this folder: DATA_DIR=${dataDir} sorpresa restore FILE (in a checkout: npm run restore -- FILE)`,
    );
  if (remains.length > 0 && sqliteFile !== null && !hasBytes(sqliteFile))
    throw new DatabaseMissing(sentence(dataDir, remains, `the file ${sqliteFile} is missing or empty`));
  return async (db) => {
    if (remains.length === 0 || (await db.introspection.getTables()).length > 0) return;
    const where = sqliteFile ?? 'the database of DATABASE_URL';
    throw new DatabaseMissing(sentence(dataDir, remains, `${where} has no tables`));
  };
}

/** What only a start that had made its database leaves behind. */
function remainsIn(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  const found = readdirSync(dataDir).filter((name) => /^secret-[a-z]+$|^sorpresa\.db-wal$/.test(name));
  const media = join(dataDir, 'media');
  const files = existsSync(media) ? readdirSync(media).filter((name) => !name.startsWith('.')).length : 0;
  const wal = join(dataDir, 'sorpresa.db-wal');
  const kept = found.filter((name) => !name.endsWith('-wal') || hasBytes(wal));
  return files === 0 ? kept : [...kept, `${files} file(s) in media`];
}

const hasBytes = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

function sentence(dataDir: string, remains: readonly string[], what: string): string {
  return [
    `The database is missing: ${what}, but ${dataDir} holds ${remains.join(', ')}.`,
    'Starting now would begin anew, open to whoever comes first.',
    `Put the database back (DATA_DIR and DATABASE_URL must belong together), or restore an archive into an empty folder: DATA_DIR=FOLDER sorpresa restore FILE (in a checkout: npm run restore -- FILE).`,
    `To begin anew, empty ${dataDir} or set another DATA_DIR.`,
  ].join('\n');
}
