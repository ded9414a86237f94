import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { createPostgres, settingsOf, takePostgres } from './postgres-databases.ts';

/** A database of one test: empty, with its tables up to date. */
export type TestDatabase = Database & {
  /** The settings that lead to it, for a second node or a server of its own. */
  env: { DATA_DIR: string; DATABASE_URL?: string; DATABASE_DIRECT_URL?: string };
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
  return opened(postgresWithTables());
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
  const database = await takePostgres();
  return {
    env: { ...env, ...(await settingsOf(database.url)) },
    async remove() {
      await database.giveBack();
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
