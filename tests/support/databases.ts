import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { TEMPLATE } from './postgres-server.ts';

/** A database of one test: empty, with its tables up to date. */
export type TestDatabase = Database & {
  /** The settings that lead to it, for a second node or a server of its own. */
  env: { DATA_DIR: string; DATABASE_URL?: string };
  /** Closes it (if still open) and removes every trace of it. */
  drop(): Promise<void>;
};

export type OpenTestDatabase = () => Promise<TestDatabase>;

/** For `describe.each(eachDatabase)('%s', (_name, open) => …)`. */
export const eachDatabase: [string, OpenTestDatabase][] = [
  ['sqlite', sqliteDatabase],
  ['postgres', postgresDatabase],
];

/** A fresh SQLite file in a temporary directory. */
export function sqliteDatabase(): Promise<TestDatabase> {
  return opened(sqliteWithTables());
}

/** A fresh database in the run's PostgreSQL. */
export function postgresDatabase(): Promise<TestDatabase> {
  return opened(newPostgres('/tables'));
}

/** Where a database is going to be, and how to remove it. */
export type EmptyDatabase = { env: TestDatabase['env']; remove(): Promise<void> };

/** A temporary directory without a file in it yet. */
export async function emptySqlite(): Promise<EmptyDatabase> {
  const env = { DATA_DIR: await mkdtemp(join(tmpdir(), 'sorpresa-')) };
  return { env, remove: () => rm(env.DATA_DIR, { recursive: true, force: true }) };
}

let tables: Promise<Buffer> | null = null;

/** The same with a copy of a database that has its tables: making them anew takes longer. */
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

/** A database without tables in the run's PostgreSQL. */
export function emptyPostgres(): Promise<EmptyDatabase> {
  return newPostgres('/');
}

async function newPostgres(path: '/' | '/tables'): Promise<EmptyDatabase> {
  const server = await postgresUrl(path);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const { env, remove } = await emptySqlite();
  // Its files copied as they are: half the work of writing every page to the log first, and little is left to be tidied up when it goes.
  const filled = path === '/tables' ? ` template ${TEMPLATE} strategy file_copy` : '';
  await onServer(server, `create database ${name}${filled}`);
  return {
    env: { ...env, DATABASE_URL: `${server}/${name}` },
    async remove() {
      await onServer(server, `drop database ${name} with (force)`);
      await remove();
    },
  };
}

/** The connection string of the run's PostgreSQL, without a database's name. */
export async function postgresUrl(path = '/'): Promise<string> {
  const response = await fetch(`${inject('postgresDoor')}${path}`);
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
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
