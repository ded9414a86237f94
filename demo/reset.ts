import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir } from '../src/server/db/owner.ts';

/** What the demo made is kept there; its presence says that the folder is the demo's. */
export const demoMark = (dataDir: string) => join(dataDir, 'demo.json');
const LOCK = 'sorpresa.lock';

/**
 * Empties a data folder, for `--reset`; one that isn't there is left so. Throws, in a sentence, when the demo didn't make it, and
 * `DataDirInUse` when it is running on it.
 */
export function resetDemo(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  if (!existsSync(demoMark(dataDir)))
    throw new Error(`${dataDir} was not made by the demo, so it is not deleted. Choose another DATA_DIR.`);
  const disown = lockDataDir(dataDir, new Date());
  try {
    // The mark goes last: a reset that is cut short can be done again.
    const kept = (name: string) => name.startsWith(LOCK) || join(dataDir, name) === demoMark(dataDir);
    const paths = readdirSync(dataDir).flatMap((name) => (kept(name) ? [] : [join(dataDir, name)]));
    for (const path of [...paths, demoMark(dataDir)]) rmSync(path, { recursive: true, force: true });
  } finally {
    disown();
  }
}
