import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { prepareDataDir } from './data-dir.ts';

/**
 * Keeps what Node makes of the code that is read from here on, so that the next start makes it no more: written as the process ends, read by the same
 * version of Node for the same text. In the data folder, since it is run: nobody else may write there. A folder that can't be used is the
 * start's to tell.
 */
export function setUpCompileCache(dataDir: string): void {
  try {
    prepareDataDir(dataDir);
  } catch {
    return;
  }
  enableCompileCache(join(dataDir, 'compiled'));
}
