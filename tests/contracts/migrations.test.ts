import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openUnmigrated } from '../../src/server/db/beside.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { askPostgres } from '../support/ask-postgres.ts';
import {
  type EmptyDatabase,
  emptyDatabases,
  emptyPostgres,
  postgresDatabase,
  sqliteDatabase,
} from '../support/databases.ts';

/** better-auth chooses its own types on each database. */
const SIGN_IN = ['user', 'session', 'account', 'verification'];

const NAMES_OF_TYPES: Record<string, string> = {
  varchar: 'text',
  int4: 'integer',
  int8: 'bigint',
  float8: 'double precision',
  bool: 'boolean',
};

const open = (env: EmptyDatabase['env']) => openDatabase({ DATABASE_URL: undefined, ...env });

describe.each(emptyDatabases)('migrations on %s', (_name, empty) => {
  let place: EmptyDatabase;
  beforeEach(async () => {
    place = await empty();
  });
  afterEach(() => place.remove());

  it('run once, and leave the tables as they were when a step fails, until its cause is gone', async () => {
    const executed = async ({ db }: Database) =>
      (await sql`select name, timestamp from kysely_migration order by name`.execute(db)).rows;
    const first = await open(place.env);
    const before = await executed(first);
    expect(before.length).toBeGreaterThan(0);
    await first.close();
    const fresh = await open(place.env);
    expect(await executed(fresh)).toEqual(before);
    const complete = await tableNames(fresh.db);
    // Back to nothing, but for a table that stands in the way of the first step, near its end.
    for (const name of complete) await fresh.db.schema.dropTable(name).execute();
    await sql`delete from kysely_migration`.execute(fresh.db);
    await fresh.db.schema.createTable('notifications').addColumn('stranger', 'text').execute();
    await fresh.close();
    for (let times = 0; times < 2; times += 1) await expect(open(place.env)).rejects.toThrow(/notifications/);
    await removeObstacle(place.env);
    const repaired = await open(place.env);
    expect(await tableNames(repaired.db)).toEqual(complete);
    await repaired.close();
  });

  it('bring what older versions stored up to date', async () => {
    const { db: before, close } = await openUnmigrated({ DATABASE_URL: undefined, ...place.env });
    // The configuration is left as it was.
    await migrate(before, '004-rehearsal');
    await sql`insert into admin_config (id, frasi, versione, updated_at) values (1, '["Ciao"]', 3, 'x')`.execute(
      before,
    );
    // What several visits began with is stored once.
    await migrate(before, '031-plan-b-kept');
    const bodies = ['{"one":"è"}', '{"two":2}', '{"one":"è"}'];
    for (const [n, body] of bodies.entries()) await insertOldVisit(before, `${n}`, body);
    // Entries and visits are counted by the Italian day.
    await migrate(before, '034-privacy');
    for (const [n, [moment, success]] of [
      ['2027-03-27T22:59:59.999Z', true],
      ['2027-03-27T23:00:00.000Z', true],
      ['2027-03-28T21:59:59.999Z', true],
      ['2027-03-28T21:59:59.999Z', false],
      ['2027-03-28T22:00:00.000Z', true],
      ['not a moment', true],
    ].entries())
      await sql`insert into access_logs (id, success, created_at) values (${`${n}`}, ${success}, ${moment})`.execute(
        before,
      );
    await sql`update active_sessions set started_at = '2027-03-27T23:00:00.000Z'`.execute(before);
    await close();
    const after = await open(place.env);
    const { db } = after;
    const config = await db.selectFrom('admin_config').selectAll().executeTakeFirst();
    expect(config).toMatchObject({ frasi: '["Ciao"]', versione: 3, frasi_secondi_esatti: '[]' });
    const visits = await db
      .selectFrom('active_sessions')
      .innerJoin('visit_snapshots', 'hash', 'snapshot_hash')
      .select(['id', 'body', 'hash'])
      .orderBy('id')
      .execute();
    expect(visits.map(({ body }) => body)).toEqual(bodies);
    for (const { body, hash } of visits) expect(hash).toBe(createHash('sha256').update(body).digest('hex'));
    expect(await db.selectFrom('visit_snapshots').select('hash').execute()).toHaveLength(2);
    expect(await db.selectFrom('visits_by_day').selectAll().orderBy('giorno').execute()).toEqual([
      { giorno: '2027-03-27', accessi: 1, visite: 0 },
      { giorno: '2027-03-28', accessi: 2, visite: 3 },
      { giorno: '2027-03-29', accessi: 1, visite: 0 },
      { giorno: 'not a mome', accessi: 1, visite: 0 },
    ]);
    await after.close();
  });
});

/** A visit as the tables had it before it referred to what it began with. */
async function insertOldVisit(db: Db, id: string, snapshot: string): Promise<void> {
  await sql`insert into active_sessions
    (id, token_id, token_value, device_id, user_agent, is_active, started_at, last_activity, cookie_hash, attempt_id,
      snapshot, step, phrase, second, exit_seq, reported_errors)
    values (${id}, 't', 'T', 'd', 'u', false, 'x', 'x', ${id}, ${id}, ${snapshot}, 0, 0, 0, -1, 0)`.execute(
    db,
  );
}

it('make the same tables on both databases', async () => {
  const [sqlite, postgres] = [await sqliteDatabase(), await postgresDatabase()];
  const tables = await describeTables(sqlite.db);
  const some = ['admin_config', 'tokens', 'active_sessions', 'user'];
  expect(Object.keys(tables)).toEqual(expect.arrayContaining(some));
  expect(await describeTables(postgres.db)).toEqual(tables);
  expect(await indexes(postgres)).toEqual(await indexes(sqlite));
  await sqlite.drop();
  await postgres.drop();
});

it('wait for each other when nodes start together', async () => {
  for (let round = 0; round < 2; round += 1) {
    const place = await emptyPostgres();
    const nodes = await Promise.all([open(place.env), open(place.env), open(place.env)]);
    for (const node of nodes) {
      expect(await node.db.selectFrom('tokens').selectAll().execute()).toEqual([]);
      await node.close();
    }
    await place.remove();
  }
});

async function tableNames<T>(db: Kysely<T>): Promise<string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name).toSorted();
}

/** By the same road the product takes to the database, but without its migrations. */
async function removeObstacle({ DATA_DIR, DATABASE_URL }: EmptyDatabase['env']): Promise<void> {
  const drop = 'drop table notifications';
  if (DATABASE_URL !== undefined) return void (await askPostgres(DATABASE_URL, drop));
  const file = new DatabaseSync(`${DATA_DIR}/sorpresa.db`);
  file.exec(drop);
  file.close();
}

async function describeTables<T>(db: Kysely<T>): Promise<Record<string, unknown>> {
  const tables = await db.introspection.getTables();
  const described = tables.map(({ name, columns }) => [
    name,
    columns
      .map((column) => {
        if (SIGN_IN.includes(name)) return column.name;
        const type = column.dataType.toLowerCase();
        const optional = column.isNullable ? '?' : '';
        const defaulted = column.hasDefaultValue ? ' default' : '';
        return `${column.name}${optional}: ${NAMES_OF_TYPES[type] ?? type}${defaulted}`;
      })
      .toSorted(),
  ]);
  return Object.fromEntries(described.toSorted());
}

/** Names of the indexes we named; those of the databases themselves are called differently. */
async function indexes({ db, kind }: Database): Promise<string[]> {
  const catalogue =
    kind === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'index' and sql is not null`
      : sql<{ name: string }>`select i.relname as name from pg_index x join pg_class i on i.oid = x.indexrelid
          join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = i.relnamespace
          where n.nspname = 'public' and not exists (select from pg_constraint c where c.conindid = x.indexrelid)`;
  return (await catalogue.execute(db)).rows.map(({ name }) => name).toSorted();
}
