import { execFileSync, spawn } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../../scripts/tools.mjs';
import { freePort } from './free-port.ts';
import { killOnExit, killProgram } from './kill-on-exit.ts';
import { queryPostgres } from './own-postgres.ts';

/** PgBouncer before a PostgreSQL, with the settings of `docs/operations.md`: one connection per transaction. */
export type Pooler = {
  /** Returns the connection string of the same database through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
};

/** Starts PgBouncer. @param server connection string of one of its databases */
export async function startPooler(server: string): Promise<Pooler> {
  const { hostname, port, username, password } = new URL(server);
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-pooler-'));
  const [own, file] = [await freePort(), join(folder, 'pgbouncer.ini')];
  const where = `host=${hostname} port=${port} user=${username} password=${password}`;
  await writeFile(file, configOf(where, own), { mode: 0o600 });
  await givePostgres(folder, file);
  const program = spawn(toolPath('databases', 'pgbouncer'), [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...asPostgres(),
  });
  killOnExit(program);
  let output = '';
  program.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const through = (url: string) => `postgres://${username}@127.0.0.1:${own}${new URL(url).pathname}`;
  const stop = async () => {
    await killProgram(program);
    await rm(folder, { recursive: true, force: true });
  };
  while (!(await answers(through(server)))) {
    if (program.exitCode === null) continue;
    await stop();
    throw new Error(`PgBouncer did not start:\n${output}`);
  }
  return { through, stop };
}

const answers = (connectionString: string) =>
  queryPostgres(connectionString, 'select 1').then(
    () => true,
    () => new Promise((done) => setTimeout(done, 50, false)),
  );

const configOf = (where: string, port: number) => `[databases]
* = ${where}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout
`;

/**
 * Returns the user for database programs, which refuse to run as root: `postgres` of Debian's package. null if not
 * root.
 */
function user(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const of = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: of('-u'), gid: of('-g') };
}

/** Options for `spawn`. */
export const asPostgres = () => user() ?? {};

/** Changes the owner of these files and folders to that user. */
export async function givePostgres(...paths: string[]): Promise<void> {
  const owner = user();
  if (owner !== null) for (const path of paths) await chown(path, owner.uid, owner.gid);
}
