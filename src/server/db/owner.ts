import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './errors.ts';

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
