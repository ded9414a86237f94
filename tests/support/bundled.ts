import { join } from 'node:path';
import { ensureBuilt, root } from '../../scripts/setup.mjs';
import { oncePerRun } from './once-per-run.ts';
import { type Spawned, type SpawnedServer, spawnServer } from './server.ts';

/**
 * Returns the path of the bundled server that `npm start` runs. It starts in a fifth of the time that the thousand
 * source files take, for tests that start it often.
 */
export function bundledProgram(): Promise<string> {
  return oncePerRun('the bundled server', async () => {
    ensureBuilt('server');
    return join(root, 'dist/server/src/cli/sorpresa.js');
  });
}

/** Runs `spawnServer` with the bundled server. */
export async function spawnBundled(options: Omit<Spawned, 'main'>): Promise<SpawnedServer> {
  return spawnServer({ ...options, main: [await bundledProgram(), 'start'] });
}
