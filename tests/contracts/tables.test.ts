import { readFileSync } from 'node:fs';
import { getMigrations } from 'better-auth/db/migration';
import * as fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signInSchema } from '../../src/server/auth/better-auth.ts';
import { isCheckViolation, isUniqueViolation } from '../../src/server/db/errors.ts';
import { isUnavailable } from '../../src/server/db/unavailable.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { configRow, mediaRow, tokenRow } from '../support/rows.ts';

const NOW = '2027-03-28T00:30:00.000Z';
const ANSWER = { session_id: 's', token_value: 'x', risposta_1: true, risposta_2: false, created_at: NOW };

/** The sign-in tables as better-auth 1.7.7 made them in the first installs, read from their catalogues. */
const FIRST = JSON.parse(
  readFileSync(new URL('../fixtures/sign-in-tables.json', import.meta.url), 'utf8'),
) as Record<'sqlite' | 'postgres', string[]>;
const SIGN_IN = sql.join(['account', 'session', 'user', 'verification']);

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

  it('keep booleans as booleans, whatever the column is called in the answer', async () => {
    const row = { id: 'a', event_type: 'x', success: true, metadata: '{"a":[1,"è"]}', created_at: NOW };
    const named = ['success', 'success as riuscito'] as const;
    const returned = await db.insertInto('event_logs').values(row).returning(named).execute();
    expect(returned).toStrictEqual([{ success: true, riuscito: true }]);
    // What other versions have written and will read.
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

  it('keep any text and any number as it is', async () => {
    await addTokens(tokenRow('a'));
    await db.insertInto('admin_config').values(configRow(1)).execute();
    // PostgreSQL has no NUL in texts, and lone surrogates are no text in UTF-8.
    const text = fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '').toWellFormed());
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e6 });
    await fc.assert(
      fc.asyncProperty(text, number, async (nome, seconds) => {
        expect(await db.updateTable('tokens').set({ nome }).returning('nome').execute()).toEqual([{ nome }]);
        const changed = db.updateTable('admin_config').set({ durata_frase_secondi: seconds });
        const [row] = await changed.returning('durata_frase_secondi').execute();
        expect(row?.durata_frase_secondi).toBe(seconds === 0 ? 0 : seconds);
      }),
      { numRuns: 50 },
    );
    const media = mediaRow('m', { size: 5_000_000_001 });
    const { id, extension, content_type, size, sha256, nome, created_at } = media;
    await db
      .insertInto('media')
      .values({ id, extension, content_type, size, sha256, nome, created_at })
      .execute();
    expect(await db.selectFrom('media').selectAll().execute()).toEqual([media]);
  });

  it('count as numbers, and say how many rows were changed or were in the way', async () => {
    await addTokens(tokenRow('a'), tokenRow('b', { accessi_usati: 2 }), tokenRow('c', { accessi_usati: 3 }));
    const totals = await db
      .selectFrom('tokens')
      .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number>('accessi_usati').as('uses')])
      .execute();
    expect(totals).toStrictEqual([{ rows: 3, uses: 5 }]);
    const updated = db.updateTable('tokens').set({ attivo: false }).where('id', '!=', 'a');
    expect((await updated.executeTakeFirstOrThrow()).numUpdatedRows).toBe(2n);
    const deleted = db.deleteFrom('tokens').where('attivo', '=', false);
    expect((await deleted.executeTakeFirstOrThrow()).numDeletedRows).toBe(2n);
    const insert = (id: string) =>
      db
        .insertInto('tokens')
        .values(tokenRow(id))
        .onConflict((conflict) => conflict.column('normalized').doNothing())
        .returning('id')
        .execute();
    expect([await insert('a'), await insert('b')]).toEqual([[], [{ id: 'b' }]]);
  });

  it('refuse a second row where there is to be one, and what no row may say', async () => {
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

  it('of sign-in are those of the first installs, want no others, and have one seat', async () => {
    const { kind } = database;
    expect(await (kind === 'sqlite' ? sqliteTables(db) : postgresTables(db))).toEqual(FIRST[kind]);
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

/** Whether it was refused as not unique, by a check, or for the database’s own trouble. */
async function refused(query: { execute(): Promise<unknown> }) {
  const error: unknown = await query.execute().then(
    () => null,
    (reason: unknown) => reason,
  );
  return [isUniqueViolation(error), isCheckViolation(error), isUnavailable(error)];
}

async function sqliteTables<T>(db: Kysely<T>): Promise<string[]> {
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where tbl_name in (${SIGN_IN}) and sql is not null order by name`.execute(
    db,
  );
  return rows.map((row) => row.sql);
}

async function postgresTables<T>(db: Kysely<T>): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', table_name, ordinal_position, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public' and table_name in (${SIGN_IN})
    union all select concat_ws(' ', r.relname, c.conname, pg_get_constraintdef(c.oid))
      from pg_constraint c join pg_class r on r.oid = c.conrelid where r.relname in (${SIGN_IN})
    union all select indexdef from pg_indexes where schemaname = 'public' and tablename in (${SIGN_IN})
    order by 1`.execute(db);
  return rows.map(({ line }) => line);
}
