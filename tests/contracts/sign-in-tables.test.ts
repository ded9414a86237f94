import { readFileSync } from 'node:fs';
import { getMigrations } from 'better-auth/db/migration';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { signInSchema } from '../../src/server/auth/better-auth.ts';
import { eachDatabase, postgresDatabase, sqliteDatabase } from '../support/databases.ts';

/** The tables as better-auth 1.7.7 made them in the first installs, read from their catalogues. */
const FIRST = JSON.parse(
  readFileSync(new URL('../fixtures/sign-in-tables.json', import.meta.url), 'utf8'),
) as Record<'sqlite' | 'postgres', string[]>;

test.each([
  ['sqlite', sqliteDatabase, sqliteTables],
  ['postgres', postgresDatabase, postgresTables],
] as const)(
  'a new install on %s has the tables of the first ones, and the better-auth that is installed asks for no others',
  async (kind, open, describe) => {
    const database = await open();
    try {
      expect(await describe(database.db)).toEqual(FIRST[kind]);
      const { toBeCreated, toBeAdded } = await getMigrations({
        ...signInSchema,
        database: { db: database.db as never, type: kind },
        baseURL: 'http://localhost',
        secret: 'no-secret-is-needed-while-tables-are-read',
      });
      expect([toBeCreated, toBeAdded]).toEqual([[], []]);
    } finally {
      await database.drop();
    }
  },
);

test.each(eachDatabase)('an install on %s has one seat', async (_name, open) => {
  const { db, kind, drop } = await open();
  const at = '2026-01-01T00:00:00.000Z';
  const take = (id: string) =>
    sql`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "seat")
      values (${id}, ${id}, ${id}, ${sql.lit(kind === 'sqlite' ? 0 : false)}, ${at}, ${at}, 1)`.execute(db);
  await take('prima');
  await expect(take('seconda')).rejects.toThrow(/unique/i);
  await drop();
});

const TABLES = ['account', 'session', 'user', 'verification'];

async function sqliteTables<T>(db: Kysely<T>): Promise<string[]> {
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where tbl_name in (${sql.join(TABLES)}) and sql is not null order by name`.execute(
    db,
  );
  return rows.map((row) => row.sql);
}

async function postgresTables<T>(db: Kysely<T>): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', table_name, ordinal_position, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public' and table_name in (${sql.join(TABLES)})
    union all select concat_ws(' ', r.relname, c.conname, pg_get_constraintdef(c.oid))
      from pg_constraint c join pg_class r on r.oid = c.conrelid where r.relname in (${sql.join(TABLES)})
    union all select indexdef from pg_indexes where schemaname = 'public' and tablename in (${sql.join(TABLES)})
    order by 1`.execute(db);
  return rows.map(({ line }) => line);
}
