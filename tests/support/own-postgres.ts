import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedPostgres } from './embedded-postgres.ts';
import { freePort } from './free-port.ts';

/** A PostgreSQL that a test may bring down, as durable as one should be. */
export type OwnPostgres = {
  url: string;
  /** Immediate shutdown: every connection is cut, nothing is tidied up. Resolves when it is gone. */
  crash(): Promise<void>;
  /** Starts it again: it recovers first. Resolves when it takes connections. */
  start(): Promise<void>;
  remove(): Promise<void>;
};

/** `modules`: the folder its package is in, if not this project's. */
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
    // The zombie of the old one would lock out the new one: its end is waited for.
    const gone = once((server as unknown as { process: ChildProcess }).process, 'exit');
    process.kill(Number(pid), 'SIGQUIT');
    await gone;
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
