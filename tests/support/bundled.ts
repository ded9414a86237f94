import { execFile } from 'node:child_process';
import { copyFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { oncePerRun } from './once-per-run.ts';
import { type Spawned, type SpawnedServer, spawnServer } from './server.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

/** Folders that the product expects next to its code, as in a checkout. */
const LINKED_FOLDERS = ['dist', 'demo', 'node_modules'];

/**
 * Returns the path of the release bundle (`vite.config.ts`, mode `release`), built once per run. It starts in a fifth
 * of the time that the thousand source files take, for tests that start it often.
 */
export function bundledProgram(): Promise<string> {
  return oncePerRun('the bundled program', bundle);
}

/** Runs `spawnServer` with the release bundle. */
export async function spawnBundled(options: Omit<Spawned, 'main'>): Promise<SpawnedServer> {
  return spawnServer({ ...options, main: [await bundledProgram(), 'start'] });
}

async function bundle(folder: string): Promise<string> {
  for (const name of LINKED_FOLDERS) await symlink(join(ROOT, name), join(folder, name));
  await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const args = [VITE, 'build', '--mode', 'release'];
  const env = { ...process.env, RELEASE_STAGE: folder };
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return join(folder, 'src/cli/sorpresa.js');
}
