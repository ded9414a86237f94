import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir } from '../src/server/db/owner.ts';

/** Path of the demo's data; its presence marks the folder as the demo's. */
export const demoMark = (dataDir: string) => join(dataDir, 'demo.json');
const LOCK = 'sorpresa.lock';

/**
 * Empties a data folder, for `--reset`; a missing one stays missing. Throws an error with a message if the demo did not
 * create it, and `DataDirInUse` if it is running on it.
 */
export function resetDemo(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  if (!existsSync(demoMark(dataDir)))
    throw new Error(`${dataDir} was not made by the demo, so it is not deleted. Choose another DATA_DIR.`);
  const disown = lockDataDir(dataDir, new Date());
  try {
    // The mark is removed last, so that an interrupted reset can be repeated.
    const kept = (name: string) => name.startsWith(LOCK) || join(dataDir, name) === demoMark(dataDir);
    const paths = readdirSync(dataDir).flatMap((name) => (kept(name) ? [] : [join(dataDir, name)]));
    for (const path of [...paths, demoMark(dataDir)]) rmSync(path, { recursive: true, force: true });
  } finally {
    disown();
  }
}
