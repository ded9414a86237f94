import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toolPath } from '../../scripts/tools.mjs';
import { freePort } from '../support/free-port.ts';
import { killOnExit, killProgram } from '../support/kill-on-exit.ts';
import { asPostgres, givePostgres } from '../support/pgbouncer.ts';

/** Two PostgreSQL servers managed by Patroni, with synchronous commits, behind HAProxy, which connects to the primary. */
export type Patroni = {
  /** Connection string of a database at HAProxy. */
  url: string;
  /** Kills the primary and its Patroni. Resolves when the other server accepts writes. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
};

const NAMES = ['a', 'b'] as const;
type Name = (typeof NAMES)[number];
type Member = { postgres: number; rest: number };
type Ports = { haproxy: number; etcd: number; peer: number; members: Record<Name, Member> };

/** Timeout of a start, in ms. It takes some 17 s on two idle cores. */
const PATIENCE_MS = 180_000;

export async function startPatroni(): Promise<Patroni> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-patroni-'));
  await givePostgres(folder);
  const ports = await freePorts();
  const password = randomBytes(12).toString('hex');
  const running = new Map<string, ChildProcess>();
  const begin = (name: string, program: string, args: string[]) => {
    const child = spawn(toolPath('databases', program), args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: folder },
      ...asPostgres(),
    });
    const log = createWriteStream(join(folder, `${name}.log`));
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false });
    killOnExit(child);
    running.set(name, child);
  };
  const write = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    await givePostgres(path);
    return path;
  };
  const end = async (name: string) => {
    await killProgram(running.get(name));
    running.delete(name);
  };
  const stop = async () => {
    // Patroni first: it would restart an ended server.
    for (const name of [...NAMES, 'haproxy', 'etcd']) await end(name);
    for (const name of NAMES) killServer(await processOf(join(folder, `data-${name}`)));
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  const leads = async (name: Name) =>
    (await fetch(`http://127.0.0.1:${ports.members[name].rest}/primary`).catch(() => null))?.status === 200;
  const leader = async (): Promise<Name | undefined> => {
    for (const name of NAMES) if (await leads(name)) return name;
    return undefined;
  };
  const isComplete = async () => {
    const name = await leader();
    if (name === undefined) return false;
    const answer = await fetch(`http://127.0.0.1:${ports.members[name].rest}/cluster`);
    return (await answer.text()).includes('sync_standby');
  };
  try {
    const at = (port: number) => `http://127.0.0.1:${port}`;
    begin('etcd', 'etcd', [
      `--data-dir=${join(folder, 'etcd')}`,
      '--logger=zap',
      '--log-level=error',
      `--listen-client-urls=${at(ports.etcd)}`,
      `--advertise-client-urls=${at(ports.etcd)}`,
      `--listen-peer-urls=${at(ports.peer)}`,
      `--initial-advertise-peer-urls=${at(ports.peer)}`,
      `--initial-cluster=default=${at(ports.peer)}`,
    ]);
    for (const name of NAMES)
      begin(name, 'patroni', [await write(`${name}.yml`, memberOf(name, ports, { folder, password }))]);
    begin('haproxy', 'haproxy', ['-db', '-f', await write('haproxy.cfg', haproxyOf(ports))]);
    const late = Date.now() + PATIENCE_MS;
    while (!(await isComplete())) {
      if (Date.now() > late) throw new Error(await logsIn(folder));
      await delay(100);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${ports.haproxy}/postgres`,
    async failOver() {
      const name = await leader();
      if (name === undefined) throw new Error('Nobody takes writes');
      const pid = await processOf(join(folder, `data-${name}`));
      await end(name);
      killServer(pid);
      while (!(await leads(name === 'a' ? 'b' : 'a'))) await delay(20);
    },
    stop,
  };
}

async function freePorts(): Promise<Ports> {
  const first = await freePort(7);
  const member = (n: number): Member => ({ postgres: first + n, rest: first + n + 1 });
  return { haproxy: first, etcd: first + 1, peer: first + 2, members: { a: member(3), b: member(5) } };
}

/** Returns the id of the server's main process, or null if there is none. */
async function processOf(data: string): Promise<number | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || null;
}

/** Kills the main process; its backends notice and exit. */
function killServer(pid: number | null): void {
  try {
    if (pid !== null) process.kill(pid, 'SIGKILL');
  } catch {
    // It was gone already.
  }
}

async function logsIn(folder: string): Promise<string> {
  const read = async (name: string) =>
    `${name}: ${(await readFile(join(folder, `${name}.log`), 'utf8').catch(() => '')).slice(-2_000)}`;
  return ['Patroni did not start', ...(await Promise.all(['etcd', ...NAMES, 'haproxy'].map(read)))].join(
    '\n',
  );
}

/** The shortest lease in seconds that Patroni allows: for this long no server accepts writes after the primary and its Patroni died. */
const TTL = 20;

const memberOf = (
  name: Name,
  { etcd, members }: Ports,
  { folder, password }: { folder: string; password: string },
) => `scope: sorpresa
name: ${name}
restapi: { listen: '127.0.0.1:${members[name].rest}', connect_address: '127.0.0.1:${members[name].rest}' }
etcd3: { host: '127.0.0.1:${etcd}' }
bootstrap:
  dcs:
    ttl: ${TTL}
    loop_wait: 3
    retry_timeout: 5
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 100, wal_log_hints: 'on', unix_socket_directories: '' }
  initdb: [{ encoding: UTF8 }, { auth: scram-sha-256 }]
  pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256']
postgresql:
  listen: '127.0.0.1:${members[name].postgres}'
  connect_address: '127.0.0.1:${members[name].postgres}'
  data_dir: '${join(folder, `data-${name}`)}'
  bin_dir: '${toolPath('databases', 'postgresql')}'
  pgpass: '${join(folder, `${name}.pass`)}'
  authentication:
    superuser: { username: postgres, password: '${password}' }
    replication: { username: replicator, password: '${password}' }
    rewind: { username: rewinder, password: '${password}' }
`;

const haproxyOf = ({ haproxy, members: { a, b } }: Ports) => `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen postgres
  bind 127.0.0.1:${haproxy}
  option httpchk GET /primary
  http-check expect status 200
  # Whoever is connected to one that takes no writes any more is sent away, to come back to the other.
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
  server a 127.0.0.1:${a.postgres} check port ${a.rest}
  server b 127.0.0.1:${b.postgres} check port ${b.rest}
`;
