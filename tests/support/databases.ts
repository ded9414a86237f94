import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { TEMPLATE } from './postgres-server.ts';

/** A database of one test: empty, with current tables. */
export type TestDatabase = Database & {
  /** The settings to connect to it, for a second node or a separate server. */
  env: { DATA_DIR: string; DATABASE_URL?: string; DATABASE_DIRECT_URL?: string };
  /** Closes it (if still open) and removes all its files. */
  drop(): Promise<void>;
};

export type OpenTestDatabase = () => Promise<TestDatabase>;

/** For `describe.each(eachDatabase)('%s', (_name, open) => …)`. */
export const eachDatabase: [string, OpenTestDatabase][] = [
  ['sqlite', sqliteDatabase],
  ['postgres', postgresDatabase],
];

/** Opens a fresh SQLite file in a temporary directory. */
export function sqliteDatabase(): Promise<TestDatabase> {
  return opened(sqliteWithTables());
}

/** Opens a fresh database in the run's PostgreSQL. */
export function postgresDatabase(): Promise<TestDatabase> {
  return opened(postgresWithTables());
}

/** Settings of a database that does not exist yet, and its removal. */
export type EmptyDatabase = { env: TestDatabase['env']; remove(): Promise<void> };

/** Creates an empty temporary directory. */
export async function emptySqlite(): Promise<EmptyDatabase> {
  const env = { DATA_DIR: await mkdtemp(join(tmpdir(), 'sorpresa-')) };
  return { env, remove: () => rm(env.DATA_DIR, { recursive: true, force: true }) };
}

let tables: Promise<Buffer> | null = null;

/** Creates a directory with a copy of a migrated database; migrating takes longer. */
async function sqliteWithTables(): Promise<EmptyDatabase> {
  tables ??= bytesWithTables();
  const empty = await emptySqlite();
  await writeFile(join(empty.env.DATA_DIR, 'sorpresa.db'), await tables, { mode: 0o600 });
  return empty;
}

async function bytesWithTables(): Promise<Buffer> {
  const { env, remove } = await emptySqlite();
  await openDatabase({ DATABASE_URL: undefined, ...env }).then(({ close }) => close());
  const bytes = await readFile(join(env.DATA_DIR, 'sorpresa.db'));
  await remove();
  return bytes;
}

/** Creates a database without tables in the run's PostgreSQL. */
export async function emptyPostgres(): Promise<EmptyDatabase> {
  const [{ env, remove }, database] = [await emptySqlite(), await createPostgres('')];
  return {
    env: { ...env, ...(await settingsOf(database.url)) },
    async remove() {
      await database.drop();
      await remove();
    },
  };
}

async function postgresWithTables(): Promise<EmptyDatabase> {
  const { env, remove } = await emptySqlite();
  const database = free.pop() ?? (await make());
  return {
    env: { ...env, ...(await settingsOf(database.url)) },
    async remove() {
      if (await connected(database.url, (client) => tidyUp(client, database))) free.push(database);
      else await database.drop();
      await remove();
    },
  };
}

async function opened(empty: Promise<EmptyDatabase>): Promise<TestDatabase> {
  const { env, remove } = await empty;
  const database = await openDatabase({ DATABASE_URL: undefined, ...env });
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= database.close();
    return closed;
  };
  const drop = async () => {
    await close();
    await remove();
  };
  return { ...database, env, close, drop };
}

/** For `describe.each(emptyDatabases)('%s', (_name, empty) => …)`. */
export const emptyDatabases: [string, () => Promise<EmptyDatabase>][] = [
  ['sqlite', emptySqlite],
  ['postgres', emptyPostgres],
];

/**
 * Databases of tests in the run's PostgreSQL. Creating and dropping one takes five checkpoints of the cluster, and
 * every other test waits for them. A clean database is therefore emptied and reused by the next test of the process.
 */

type Rows = { table: string; rows: string }[];
type State = { shape: string; bytes: number };
type ReusableDatabase = State & { url: string; drop(): Promise<void>; atFirst: Rows };

/**
 * Growth in bytes after which a database is not reused: deleted rows keep their disk space and distort measurements.
 */
const MAX_GROWTH_BYTES = 4 * 1024 ** 2;

const free: ReusableDatabase[] = [];

/** Creates a database with current tables and their initial rows. */
async function make(): Promise<ReusableDatabase> {
  const created = await createPostgres(` template ${TEMPLATE} strategy file_copy`);
  return connected(created.url, async (client) => {
    const atFirst = [];
    for (const table of await tablesOf(client)) {
      const found = await client.query(`select json_agg(t) as rows from "${table}" t`);
      if (found.rows[0].rows !== null) atFirst.push({ table, rows: JSON.stringify(found.rows[0].rows) });
    }
    return { ...created, atFirst, ...(await stateOf(client)) };
  });
}

/**
 * Empties a database for reuse. Returns false if it is connected, has changed tables, functions or triggers, or has
 * grown.
 */
async function tidyUp(client: Client, { atFirst, shape, bytes }: ReusableDatabase): Promise<boolean> {
  if (!(await isAlone(client))) return false;
  const now = await stateOf(client);
  if (now.shape !== shape || now.bytes > bytes + MAX_GROWTH_BYTES) return false;
  const emptied = (await tablesOf(client)).map((table) => `delete from "${table}";`).join(' ');
  // Ignores the order of foreign keys and fires no triggers.
  await client.query(`begin; set local session_replication_role = replica; ${emptied}`);
  for (const { table, rows } of atFirst)
    await client.query(`insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`, [
      rows,
    ]);
  await client.query('commit');
  return true;
}

/** Returns true if there are no other connections. A connection stays visible for a moment after it was closed. */
async function isAlone(client: Client): Promise<boolean> {
  const others =
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  for (let looked = 0; looked < 20; looked += 1) {
    const { rowCount } = await client.query(others);
    if (rowCount === 0) return true;
    await client.query('select pg_sleep(0.01)');
  }
  return false;
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`);
  return rows.map(({ tablename }: { tablename: string }) => tablename);
}

async function stateOf(client: Client): Promise<State> {
  const catalogues = ['pg_class', 'pg_attribute', 'pg_proc', 'pg_trigger', 'pg_constraint', 'pg_namespace'];
  const counts = catalogues.map((name) => `(select count(*) from ${name})`);
  const text = `select pg_database_size(current_database()), ${counts.join(', ')}`;
  const [[bytes, ...shape] = []] = (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  return { shape: String(shape), bytes: Number(bytes) };
}

/** Creates a database in the run's PostgreSQL: without tables, or from the template in `filled`. */
async function createPostgres(filled: string): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await postgresUrl(filled === '' ? '/' : '/tables');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const onServer = (statement: string) =>
    connected(`${server}/postgres`, (client) => client.query(statement));
  await onServer(`create database ${name}${filled}`);
  return {
    url: `${server}/${name}`,
    drop: async () => void (await onServer(`drop database ${name} with (force)`)),
  };
}

/** Returns the settings to connect to this database, through a pooler if `BEHIND_POOLER=1`. */
async function settingsOf(url: string): Promise<{ DATABASE_URL: string; DATABASE_DIRECT_URL?: string }> {
  if (process.env['BEHIND_POOLER'] === undefined) return { DATABASE_URL: url };
  const { pathname } = new URL(url);
  return { DATABASE_URL: `${await postgresUrl('/pooler')}${pathname}`, DATABASE_DIRECT_URL: url };
}

/** Returns the connection string of the run's PostgreSQL, without a database name. */
async function postgresUrl(path = '/'): Promise<string> {
  const response = await fetch(`${inject('postgresDoor')}${path}`);
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}

async function connected<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
