import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The setting by which a start finds what an earlier one has kept compiled (src/server/compiled.ts) from its first line on: then Node needn't even load what takes
 * the types away, 16 MB. None where nothing is kept yet.
 * @param {string} dataDir
 * @returns {Record<string, string>}
 */
export function compiledBefore(dataDir) {
  const kept = join(dataDir, 'compiled');
  return existsSync(kept) ? { NODE_COMPILE_CACHE: kept } : {};
}
