import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { TEMPLATE } from './postgres-server.ts';

/**
 * The databases of tests in the run's PostgreSQL. Making one and removing it are five checkpoints of the whole cluster, for which every other test
 * waits, too: one that was left tidy is emptied and given to the next test of the same process.
 */

/** A database that a test has for itself. */
export type LentDatabase = {
  url: string;
  /** To be called when all that was connected to it has gone. */
  giveBack(): Promise<void>;
};

type Rows = { table: string; rows: string }[];
type Known = { url: string; drop(): Promise<void>; atFirst: Rows; shape: string; bytes: number };

/** What was deleted keeps its room on the disk: one that has grown by more than so many bytes is nobody's measure of anything. */
const GROWN = 4 * 1024 ** 2;

const free: Known[] = [];

/** A database whose tables are up to date, and hold what they hold at first. */
export async function takePostgres(): Promise<LentDatabase> {
  const known = free.pop() ?? (await make());
  return { url: known.url, giveBack: () => giveBack(known) };
}

async function make(): Promise<Known> {
  const created = await createPostgres(` template ${TEMPLATE} strategy file_copy`);
  return connected(created.url, async (client) => {
    const atFirst = [];
    for (const table of await tablesOf(client)) {
      const found = await client.query(`select json_agg(t) as rows from "${table}" t`);
      if (found.rows[0].rows !== null) atFirst.push({ table, rows: JSON.stringify(found.rows[0].rows) });
    }
    return { ...created, atFirst, shape: await shapeOf(client), bytes: await bytesOf(client) };
  });
}

async function giveBack(known: Known): Promise<void> {
  const isTidy = await connected(known.url, (client) => tidyUp(client, known));
  if (isTidy) free.push(known);
  else await known.drop();
}

/** False where it can't be given to another test: somebody is still connected, tables, functions or triggers were changed, or it has grown. */
async function tidyUp(client: Client, { atFirst, shape, bytes }: Known): Promise<boolean> {
  if (!(await isAlone(client)) || (await shapeOf(client)) !== shape) return false;
  if ((await bytesOf(client)) > bytes + GROWN) return false;
  const emptied = (await tablesOf(client)).map((table) => `delete from "${table}";`).join(' ');
  // Rows go in whatever order, and nothing that watches them is called.
  await client.query(`begin; set local session_replication_role = replica; ${emptied}`);
  for (const { table, rows } of atFirst)
    await client.query(`insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`, [
      rows,
    ]);
  await client.query('commit');
  return true;
}

/** Who has just closed a connection is still seen for a moment. */
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

async function shapeOf(client: Client): Promise<string> {
  const catalogues = ['pg_class', 'pg_attribute', 'pg_proc', 'pg_trigger', 'pg_constraint', 'pg_namespace'];
  const counts = catalogues.map((name) => `(select count(*) from ${name})`);
  const { rows } = await client.query({ text: `select ${counts.join(', ')}`, rowMode: 'array' });
  return String(rows);
}

async function bytesOf(client: Client): Promise<number> {
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
  return Number(rows[0].bytes);
}

/** A database of its own in the run's PostgreSQL: without tables unless `filled` says what from. */
export async function createPostgres(filled: string): Promise<{ url: string; drop(): Promise<void> }> {
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

/** The settings that lead to one of these databases: through a pooler where the run says so (`BEHIND_POOLER=1`). */
export async function settingsOf(
  url: string,
): Promise<{ DATABASE_URL: string; DATABASE_DIRECT_URL?: string }> {
  if (process.env['BEHIND_POOLER'] === undefined) return { DATABASE_URL: url };
  const { pathname } = new URL(url);
  return { DATABASE_URL: `${await postgresUrl('/pooler')}${pathname}`, DATABASE_DIRECT_URL: url };
}

/** The connection string of the run's PostgreSQL, without a database's name. */
export async function postgresUrl(path = '/'): Promise<string> {
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
