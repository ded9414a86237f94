import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buildCode, prepareEvening, store } from '../../../tests/support/http-evening.ts';
import { killOnExit } from '../../../tests/support/kill-on-exit.ts';
import { newFolder, spawnServer, startServer } from '../../../tests/support/server.ts';
import { compiledBefore } from '../../setup.mjs';
import type { Cleanup } from './suite.ts';

/** 100 MiB of film. */
export const FILM_BYTES = 100 * 1024 ** 2;
/** Codes to enter and to revoke, each good for any number of entries. */
const CODES = 8;

/** A server that is measured: the product, or a bare one of the same parts. */
export type ServerUnderTest = {
  /** Of its nodes; requests go to one after the other. */
  urls: readonly [string, ...string[]];
  pids: readonly number[];
  /** From the start of its (last) process, in ms. */
  readyMs: number;
  /** What the product was prepared with; null of a floor. */
  evening: Prepared | null;
};

type Prepared = { admin: string; film: string; codes: { id: string; token: string }[] };
type Settings = Record<string, string>;

/** A data folder with an evening in it, its film and its codes. `database`: of PostgreSQL, if that is to be used. */
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

/** A start on an existing database is rarely its first. */
async function startOnce(dataDir: string, env: Settings): Promise<void> {
  const server = await spawnServer({ dataDir, env });
  await server.end('SIGTERM');
}

function* bytes(length: number): Generator<Buffer> {
  const piece = Buffer.alloc(1024 ** 2, 'film');
  for (let sent = 0; sent < length; sent += piece.length) yield piece;
}

/** The product in so many processes of its own. */
export async function startProduct(
  ends: Cleanup,
  { dataDir, env, evening }: Installation,
  nodes = 1,
): Promise<ServerUnderTest> {
  return gathered(nodes, evening, async () => {
    const settings = {
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: '127.0.0.1',
      ...compiledBefore(dataDir),
      ...env,
    };
    const { url, process: child } = await spawnServer({ dataDir, env: settings });
    ends.push(() => ended(child));
    return { url, child };
  });
}

/** A bare server of this folder in so many processes of its own. */
export async function startBaseline(
  ends: Cleanup,
  program: `floor${string}.ts`,
  args: string[],
  nodes = 1,
): Promise<ServerUnderTest> {
  return gathered(nodes, null, async () => {
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

/** The bare server on SQLite, with a film in a folder of its own. */
export async function startSqliteBaseline(ends: Cleanup): Promise<ServerUnderTest & { folder: string }> {
  const folder = await newFolder();
  ends.push(() => rm(folder, { recursive: true, force: true }));
  // Before it starts, as the product's: its start is measured, and its memory.
  await writeFile(join(folder, 'film.mp4'), bytes(FILM_BYTES));
  return { folder, ...(await startBaseline(ends, 'floor.ts', [folder])) };
}

/** Ends a process that was started here, if it hasn't ended. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

type Started = { url: string; child: ChildProcess };

async function gathered(
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

/** Processor time so far, in µs; NaN where the system doesn't say. */
export function processorOf({ pids }: ServerUnderTest): number {
  return sum(pids, (pid) => {
    const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(told(pid, 'stat')) ?? [];
    return (Number(user) + Number(system)) * TICK;
  });
}

/** Resident now (`VmRSS`), or at most so far (`VmHWM`), in MB; NaN likewise. */
export function memoryOf({ pids }: ServerUnderTest, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  return sum(
    pids,
    (pid) => Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(told(pid, 'status'))?.[1]) / 1024,
  );
}

const sum = (pids: readonly number[], of: (pid: number) => number) =>
  pids.reduce((all, pid) => all + of(pid), 0);

function told(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
