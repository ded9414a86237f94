import { execFileSync, spawn } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../../scripts/tools.mjs';
import { freePort } from './free-port.ts';
import { killOnExit, killProgram } from './kill-on-exit.ts';
import { queryPostgres } from './own-postgres.ts';

/** PgBouncer before a PostgreSQL, with the settings that `docs/operations.md` asks for: a connection is lent for one transaction. */
export type Pooler = {
  /** The same database, through the pooler. */
  through(url: string): string;
  /** The database `postgres` by an entry that lends a connection for as long as it is wanted. */
  session: string;
  stop(): Promise<void>;
};

/** @param server the connection string of a database of it */
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
  return { through, session: through('postgres://x/postgres_session'), stop };
}

const answers = (connectionString: string) =>
  queryPostgres(connectionString, 'select 1').then(
    () => true,
    () => new Promise((done) => setTimeout(done, 50, false)),
  );

const configOf = (where: string, port: number) => `[databases]
postgres_session = ${where} dbname=postgres pool_mode=session
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

/** Who may run a database's programs, which refuse to be run by root: `postgres`, whom Debian's package makes. Nobody else but root has to ask. */
function user(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const of = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: of('-u'), gid: of('-g') };
}

/** For `spawn`. */
export const asPostgres = () => user() ?? {};

/** Gives that user these files and folders. */
export async function givePostgres(...paths: string[]): Promise<void> {
  const owner = user();
  if (owner !== null) for (const path of paths) await chown(path, owner.uid, owner.gid);
}
