import { execFile } from 'node:child_process';
import { copyFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { oncePerRun } from './once-per-run.ts';
import { type Spawned, type SpawnedServer, spawnServer } from './server.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

/** Of these the product finds what is beside its code, as in a checkout. */
const BESIDE = ['dist', 'demo', 'node_modules'];

/**
 * The path of the program as it is released (`vite.config.ts`, mode `release`), made once in a run: from few files it starts in a fifth of the time that its
 * thousand take. For tests that start it again and again.
 */
export function bundledProgram(): Promise<string> {
  return oncePerRun('the bundled program', bundle);
}

/** `spawnServer` with that program. */
export async function spawnBundled(options: Omit<Spawned, 'main'>): Promise<SpawnedServer> {
  return spawnServer({ ...options, main: [await bundledProgram(), 'start'] });
}

async function bundle(folder: string): Promise<string> {
  for (const name of BESIDE) await symlink(join(ROOT, name), join(folder, name));
  await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const args = [VITE, 'build', '--mode', 'release'];
  const env = { ...process.env, RELEASE_STAGE: folder };
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return join(folder, 'src/cli/sorpresa.js');
}
