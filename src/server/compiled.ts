import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { prepareDataDir } from './data-dir.ts';

/**
 * Enables Node's compile cache for all modules loaded afterwards; Node writes it when the process ends. It is in the data folder, because
 * only the owner may write code that is executed. An unusable folder is ignored here: the start reports it.
 */
export function setUpCompileCache(dataDir: string): void {
  try {
    prepareDataDir(dataDir);
  } catch {
    return;
  }
  enableCompileCache(join(dataDir, 'compiled'));
}
