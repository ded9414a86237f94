import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buildCode, prepareEvening, store } from '../../../tests/support/http-evening.ts';
import { killOnExit } from '../../../tests/support/kill-on-exit.ts';
import { newFolder, spawnServer, startServer } from '../../../tests/support/server.ts';
import type { Cleanup } from './suite.ts';

/** 100 MiB of film. */
export const FILM_BYTES = 100 * 1024 ** 2;
/** Number of codes to enter and revoke, each for unlimited entries. */
const CODES = 8;

/** A measured server: the product, or a bare one of the same parts. */
export type ServerUnderTest = {
  /** Addresses of its nodes; requests go to them in turn. */
  urls: readonly [string, ...string[]];
  pids: readonly number[];
  /** Time in ms from the start of its (last) process until it was ready. */
  readyMs: number;
  /** Prepared content of the product; null for a baseline. */
  evening: Prepared | null;
};

type Prepared = { admin: string; film: string; codes: { id: string; token: string }[] };
type Settings = Record<string, string>;

/** A data folder with an evening, its film and its codes. `database`: a PostgreSQL to use instead of SQLite. */
export type Installation = { dataDir: string; env: Settings; evening: Prepared };

export async function prepareHome(ends: Cleanup, database?: string): Promise<Installation> {
  const dataDir = await newFolder();
  ends.push(() => rm(dataDir, { recursive: true, force: true }));
  const env: Settings = database === undefined ? {} : { DATABASE_URL: database };
  const evening = await prepareIn(dataDir, env);
  await startOnce(dataDir, env);
  return { dataDir, env, evening };
}

async function prepareIn(dataDir: string, env: Settings): Promise<Prepared> {
  const server = await startServer({ dataDir, env });
  try {
    const film = await store(server, 'film.mp4', Readable.from(bytes(FILM_BYTES)));
    const { admin } = await prepareEvening(server, { video_url: film.url, frasi_pre_video: [] });
    const codes: Prepared['codes'] = [];
    for (let n = 0; n < CODES; n += 1)
      codes.push(await buildCode(server, { admin }, { nome: `Codice ${n}` }));
    await server.deps.db.updateTable('tokens').set({ max_accessi: 1_000_000 }).execute();
    return { admin, film: film.url, codes };
  } finally {
    await server.stop();
  }
}

/** Starts and stops the product once: later starts on an existing database are the usual case. */
async function startOnce(dataDir: string, env: Settings): Promise<void> {
  const server = await spawnServer({ dataDir, env, main: ['scripts/start.mjs'] });
  await server.end('SIGTERM');
}

function* bytes(length: number): Generator<Buffer> {
  const piece = Buffer.alloc(1024 ** 2, 'film');
  for (let sent = 0; sent < length; sent += piece.length) yield piece;
}

/** Starts the product in this many separate processes. */
export async function startProduct(
  ends: Cleanup,
  { dataDir, env, evening }: Installation,
  nodes = 1,
): Promise<ServerUnderTest> {
  return startNodes(nodes, evening, async () => {
    const settings = {
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: '127.0.0.1',
      ...env,
    };
    const { url, process: child } = await spawnServer({
      dataDir,
      env: settings,
      main: ['scripts/start.mjs'],
    });
    ends.push(() => ended(child));
    return { url, child };
  });
}

/** Starts a bare server of this folder in this many separate processes. */
export async function startBaseline(
  ends: Cleanup,
  program: `floor${string}.ts`,
  args: string[],
  nodes = 1,
): Promise<ServerUnderTest> {
  return startNodes(nodes, null, async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    killOnExit(child);
    ends.push(() => ended(child));
    const [line] = await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error(`${program} ended before it was ready`))),
    ]);
    return { url: String(line).trim(), child };
  });
}

/** Starts the bare server on SQLite, with a film in a separate folder. */
export async function startSqliteBaseline(ends: Cleanup): Promise<ServerUnderTest & { folder: string }> {
  const folder = await newFolder();
  ends.push(() => rm(folder, { recursive: true, force: true }));
  // Before the start, as for the product: the start and its memory are measured.
  await writeFile(join(folder, 'film.mp4'), bytes(FILM_BYTES));
  return { folder, ...(await startBaseline(ends, 'floor.ts', [folder])) };
}

/** Ends a process that was started here, if it is running. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

type Started = { url: string; child: ChildProcess };

async function startNodes(
  nodes: number,
  evening: Prepared | null,
  start: () => Promise<Started>,
): Promise<ServerUnderTest> {
  const all: Started[] = [];
  let readyMs = Number.NaN;
  while (all.length < nodes) {
    const began = performance.now();
    all.push(await start());
    readyMs = performance.now() - began;
  }
  const [first = '', ...others] = all.map(({ url }) => url);
  return { urls: [first, ...others], pids: all.map(({ child }) => child.pid ?? 0), readyMs, evening };
}

/** A tick of the processor's clock on Linux, in µs. */
const TICK = 10_000;

/** Returns the processor time used, in µs; NaN if the system does not report it. */
export function processorOf({ pids }: ServerUnderTest): number {
  return sum(pids, (pid) => {
    const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readProcFile(pid, 'stat')) ?? [];
    return (Number(user) + Number(system)) * TICK;
  });
}

/** Returns the current (`VmRSS`) or peak (`VmHWM`) resident memory in MB; NaN if the system does not report it. */
export function memoryOf({ pids }: ServerUnderTest, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  return sum(
    pids,
    (pid) => Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(readProcFile(pid, 'status'))?.[1]) / 1024,
  );
}

const sum = (pids: readonly number[], of: (pid: number) => number) =>
  pids.reduce((all, pid) => all + of(pid), 0);

function readProcFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
