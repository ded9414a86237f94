import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './errors.ts';
import type { Db } from './tables.ts';

/** Another process uses the same data directory. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

/**
 * Makes this process the only owner of the data directory until the returned function is called or the process ends. The lock is an
 * operating system lock on `sorpresa.lock` (taken through SQLite, because Node has no call for it): nothing stale remains after a crash,
 * and a reused process id can't mislead. `sorpresa.pid` only names the owner. Throws `DataDirInUse`.
 */
export function lockDataDir(dataDir: string, now: Date): () => void {
  const note = join(dataDir, 'sorpresa.pid');
  const lock = new DatabaseSync(join(dataDir, 'sorpresa.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(note, `${process.pid} ${now.toISOString()}\n`);
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new DataDirInUse(refusal(dataDir, note)) : error;
  }
  return () => {
    rmSync(note, { force: true });
    lock.close();
  };
}

function refusal(dataDir: string, note: string): string {
  return `The data in ${dataDir} is in use by another process${ownerNote(note)}. Stop it first, or set another DATA_DIR.`;
}

function ownerNote(note: string): string {
  try {
    const [pid, since] = readFileSync(note, 'utf8').trim().split(' ');
    return pid && since ? ` (PID ${pid}, running since ${since})` : '';
  } catch {
    return '';
  }
}

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
