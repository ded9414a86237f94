import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownDataDir } from '../src/server/db/owner.ts';

/** Its presence says that the demo made the folder. */
export const DEMO_MARK = 'demo.json';
const LOCK = 'sorpresa.lock';

/**
 * Empties a data folder, for `--reset`; one that isn't there is left so. Throws, in a sentence, when the demo didn't make it, and
 * `DataDirInUse` when it is running on it.
 */
export function resetDemo(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  if (!existsSync(join(dataDir, DEMO_MARK)))
    throw new Error(`${dataDir} was not made by the demo, so it is not deleted. Choose another DATA_DIR.`);
  const disown = ownDataDir(dataDir, new Date());
  try {
    // The mark goes last: a reset that is cut short can be done again.
    const names = readdirSync(dataDir).filter((name) => !name.startsWith(LOCK) && name !== DEMO_MARK);
    for (const name of [...names, DEMO_MARK]) rmSync(join(dataDir, name), { recursive: true, force: true });
  } finally {
    disown();
  }
}
