import { createHash } from 'node:crypto';
import { getMigrations } from 'better-auth/db/migration';
import * as fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signInSchema } from '../../src/server/auth/better-auth.ts';
import { isCheckViolation, isUnavailable, isUniqueViolation } from '../../src/server/db/errors.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { type Database, openDatabase, openUnmigrated } from '../../src/server/db/open.ts';
import type { Db } from '../../src/server/db/tables.ts';
import {
  type EmptyDatabase,
  eachDatabase,
  emptyDatabases,
  emptyPostgres,
  type TestDatabase,
} from '../support/databases.ts';
import { configRow, mediaRow, tokenRow } from '../support/rows.ts';

const NOW = '2027-03-28T00:30:00.000Z';
const ANSWER = { session_id: 's', token_value: 'x', risposta_1: true, risposta_2: false, created_at: NOW };

describe.each(eachDatabase)('tables on %s', (_name, open) => {
  let database: TestDatabase;
  let db: TestDatabase['db'];
  beforeEach(async () => {
    database = await open();
    db = database.db;
  });
  afterEach(() => database.drop());

  const addTokens = (...rows: ReturnType<typeof tokenRow>[]) =>
    db.insertInto('tokens').values(rows).execute();

  it('return booleans as booleans under any column name', async () => {
    const row = { id: 'a', event_type: 'x', success: true, metadata: '{"a":[1,"è"]}', created_at: NOW };
    const named = ['success', 'success as riuscito'] as const;
    const returned = await db.insertInto('event_logs').values(row).returning(named).execute();
    expect(returned).toStrictEqual([{ success: true, riuscito: true }]);
    // The form that other versions wrote and will read.
    const { rows } = await sql`select cast(success as integer) as stored from event_logs`.execute(db);
    expect(rows).toEqual([{ stored: 1 }]);
    await db.updateTable('event_logs').set({ success: false }).where('success', '=', true).execute();
    const joined = await db
      .selectFrom('event_logs as e')
      .innerJoin('event_logs as f', 'e.id', 'f.id')
      .select(['f.success as both', 'e.metadata', 'e.error_message'])
      .execute();
    expect(joined).toStrictEqual([{ both: false, metadata: row.metadata, error_message: null }]);
  });

  it('store any text and any number unchanged', async () => {
    await addTokens(tokenRow('a'));
    await db.insertInto('admin_config').values(configRow(1)).execute();
    // PostgreSQL has no NUL in texts, and lone surrogates can't be encoded in UTF-8.
    const text = fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '').toWellFormed());
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e6 });
    await fc.assert(
      fc.asyncProperty(text, number, async (nome, seconds) => {
        expect(await db.updateTable('tokens').set({ nome }).returning('nome').execute()).toEqual([{ nome }]);
        const changed = db.updateTable('admin_config').set({ durata_frase_secondi: seconds });
        const [row] = await changed.returning('durata_frase_secondi').execute();
        expect(row?.durata_frase_secondi).toBe(seconds === 0 ? 0 : seconds);
      }),
      { numRuns: 20 },
    );
    const media = mediaRow('m', { size: 5_000_000_001 });
    const { id, extension, content_type, size, sha256, nome, created_at } = media;
    await db
      .insertInto('media')
      .values({ id, extension, content_type, size, sha256, nome, created_at })
      .execute();
    expect(await db.selectFrom('media').selectAll().execute()).toEqual([media]);
  });

  it('refuse duplicate rows and invalid values', async () => {
    await addTokens(tokenRow('a', { max_accessi: 1, accessi_usati: 1 }));
    const answers = (values: object) => db.insertInto('checkbox_responses').values(values as never);
    for (const [id, viaggio] of [
      ['1', 1],
      ['2', 2],
    ])
      await answers({ id, ...ANSWER, viaggio }).execute();
    const unique = [
      db.insertInto('tokens').values(tokenRow('a', { normalized: 'OTHER' })),
      db.insertInto('tokens').values(tokenRow('b', { normalized: 'ROMa' })),
      answers({ id: '3', ...ANSWER, viaggio: 1 }),
    ];
    for (const query of unique) expect(await refused(query)).toEqual([true, false, false]);
    const check = [
      db.updateTable('tokens').set({ accessi_usati: 2 }),
      db.updateTable('tokens').set({ accessi_usati: -1 }),
      db.insertInto('tokens').values(tokenRow('b', { max_accessi: 0 })),
      db.insertInto('admin_config').values(configRow(2)),
      answers({ id: '3', ...ANSWER, viaggio: 3 }),
    ];
    for (const query of check) expect(await refused(query)).toEqual([false, true, false]);
  });

  it('of sign-in need no others, and allow one user', async () => {
    const { kind } = database;
    const { toBeCreated, toBeAdded } = await getMigrations({
      ...signInSchema,
      database: { db: db as never, type: kind },
      baseURL: 'http://localhost',
      secret: 'no-secret-is-needed-while-tables-are-read',
    });
    expect([toBeCreated, toBeAdded]).toEqual([[], []]);
    const take = (id: string) =>
      sql`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "seat")
        values (${id}, ${id}, ${id}, ${sql.lit(kind === 'sqlite' ? 0 : false)}, ${NOW}, ${NOW}, 1)`.execute(
        db,
      );
    await take('prima');
    await expect(take('seconda')).rejects.toThrow(/unique/i);
  });
});

/** Returns three flags: refused as not unique, refused by a check, database unavailable. */
async function refused(query: { execute(): Promise<unknown> }) {
  const error: unknown = await query.execute().then(
    () => null,
    (reason: unknown) => reason,
  );
  return [isUniqueViolation(error), isCheckViolation(error), isUnavailable(error)];
}

const open = (env: EmptyDatabase['env']) => openDatabase({ DATABASE_URL: undefined, ...env });

describe.each(emptyDatabases)('migrations on %s', (_name, empty) => {
  let place: EmptyDatabase;
  beforeEach(async () => {
    place = await empty();
  });
  afterEach(() => place.remove());

  it('run once, and leave the tables unchanged if a step fails, until its cause is removed', async () => {
    const executed = async ({ db }: Database) =>
      (await sql`select name, timestamp from kysely_migration order by name`.execute(db)).rows;
    const first = await open(place.env);
    const before = await executed(first);
    expect(before.length).toBeGreaterThan(0);
    await first.close();
    const fresh = await open(place.env);
    expect(await executed(fresh)).toEqual(before);
    const complete = await tableNames(fresh.db);
    // Removes all tables, and adds one that blocks the first step near its end.
    for (const name of complete) await fresh.db.schema.dropTable(name).execute();
    await sql`delete from kysely_migration`.execute(fresh.db);
    await fresh.db.schema.createTable('notifications').addColumn('stranger', 'text').execute();
    await fresh.close();
    for (let times = 0; times < 2; times += 1) await expect(open(place.env)).rejects.toThrow(/notifications/);
    const blocked = await openUnmigrated({ DATABASE_URL: undefined, ...place.env });
    await blocked.db.schema.dropTable('notifications').execute();
    await blocked.close();
    const repaired = await open(place.env);
    expect(await tableNames(repaired.db)).toEqual(complete);
    await repaired.close();
  });

  it('update the data that older versions stored', async () => {
    const { db: before, close } = await openUnmigrated({ DATABASE_URL: undefined, ...place.env });
    // The configuration stays unchanged.
    await migrate(before, '004-rehearsal');
    await sql`insert into admin_config (id, frasi, versione, updated_at) values (1, '["Ciao"]', 3, 'x')`.execute(
      before,
    );
    // The equal snapshots of several visits are stored once.
    await migrate(before, '031-plan-b-kept');
    const bodies = ['{"one":"è"}', '{"two":2}', '{"one":"è"}'];
    for (const [n, body] of bodies.entries()) await insertOldVisit(before, `${n}`, body);
    // Entries and visits are counted by Italian day.
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

/** Inserts a visit in the form of the tables before it referred to a snapshot. */
async function insertOldVisit(db: Db, id: string, snapshot: string): Promise<void> {
  await sql`insert into active_sessions
    (id, token_id, token_value, device_id, user_agent, is_active, started_at, last_activity, cookie_hash, attempt_id,
      snapshot, step, phrase, second, exit_seq, reported_errors)
    values (${id}, 't', 'T', 'd', 'u', false, 'x', 'x', ${id}, ${id}, ${snapshot}, 0, 0, 0, -1, 0)`.execute(
    db,
  );
}

it('lets nodes that start together wait for each other', async () => {
  const place = await emptyPostgres();
  const nodes = await Promise.all([open(place.env), open(place.env), open(place.env)]);
  for (const node of nodes) {
    expect(await node.db.selectFrom('tokens').selectAll().execute()).toEqual([]);
    await node.close();
  }
  await place.remove();
});

async function tableNames<T>(db: Kysely<T>): Promise<string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name).toSorted();
}
