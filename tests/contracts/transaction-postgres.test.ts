import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isUniqueViolation } from '../../src/server/db/errors.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { statement } from '../../src/server/db/statement.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { DatabaseUnavailable } from '../../src/server/db/unavailable.ts';
import type { InTransaction } from '../../src/server/deps.ts';
import { postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { flightsOf } from '../support/flights.ts';
import { tokenRow } from '../support/rows.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await postgresDatabase();
  await database.db
    .insertInto('tokens')
    .values([tokenRow('a'), tokenRow('b')])
    .execute();
});
afterEach(() => database.drop());

const use = (tx: Db, id: string) =>
  tx
    .updateTable('tokens')
    .set((row) => ({ accessi_usati: row('accessi_usati', '+', 1) }))
    .where('id', '=', id)
    .execute();

it('runs again the work that a deadlock undid', async () => {
  let ready = 0;
  const { promise: gate, resolve: bothHoldOne } = Promise.withResolvers<void>();
  const { promise: oneIsThrough, resolve: through } = Promise.withResolvers<void>();
  const crossing = (first: string, second: string) =>
    database
      .inTransaction(async (tx) => {
        // Who was undone could take its row again before the other has woken, and cross it once more.
        if (ready >= 2) await oneIsThrough;
        await use(tx, first);
        ready += 1;
        if (ready >= 2) bothHoldOne();
        await gate;
        await use(tx, second);
      })
      .then(through);
  await Promise.all([crossing('a', 'b'), crossing('b', 'a')]);
  expect(ready).toBe(3);
  const rows = await database.db.selectFrom('tokens').select('accessi_usati').execute();
  expect(rows).toEqual([{ accessi_usati: 2 }, { accessi_usati: 2 }]);
});

it('survives the death of its connections', async () => {
  const work = database.inTransaction(async (tx) => {
    await use(tx, 'a');
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await kill(rows[0]?.pid ?? 0);
    await use(tx, 'b');
  });
  await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
  await database.inTransaction((tx) => use(tx, 'a'));
  const rows = await database.db.selectFrom('tokens').select('accessi_usati').orderBy('id').execute();
  expect(rows).toEqual([{ accessi_usati: 1 }, { accessi_usati: 0 }]);
});

it('names a database that is not there', async () => {
  const { openDatabase } = await import('../../src/server/db/open.ts');
  const { isUnavailable } = await import('../../src/server/db/unavailable.ts');
  const nobody = openDatabase({ DATA_DIR: '.', DATABASE_URL: 'postgres://postgres@127.0.0.1:9/none' });
  await expect(nobody).rejects.toSatisfy(isUnavailable);
});

async function kill(pid: number): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: database.env.DATABASE_URL });
  await client.connect();
  await client.query('select pg_terminate_backend($1)', [pid]);
  await client.end();
}

describe('a full disk', () => {
  /** PostgreSQL's own refusal (53100), as it comes from the server: of the first row that is to be logged, or of each. */
  const full = (times: number) =>
    sql
      .raw(`
        create sequence refused;
        create function no_room() returns trigger language plpgsql as $$ begin
          if nextval('refused') <= ${times} then
            raise exception 'could not extend file "base/1": No space left on device' using errcode = '53100';
          end if;
          return new;
        end $$;
        create trigger no_room before insert on access_logs for each row execute function no_room()`)
      .execute(database.db);
  const enter = (inTransaction: InTransaction) =>
    inTransaction(async (tx) => {
      await use(tx, 'a');
      await tx
        .insertInto('access_logs')
        .values({ id: 'log', success: true, created_at: '2027-03-28T00:30:00.000Z' })
        .execute();
    });
  const used = async () =>
    (await database.db.selectFrom('tokens').select('accessi_usati').where('id', '=', 'a').execute())[0];

  it('lets the reserve go, and does the work once more', async () => {
    await full(1);
    let letGo = 0;
    const again = await openDatabase(database.env, { onFull: () => (letGo += 1) });
    await enter(again.inTransaction);
    await again.close();
    expect([letGo, await used()]).toEqual([1, { accessi_usati: 1 }]);
  });

  it('without one is a database that can’t do it now, and nothing of the work is kept', async () => {
    await full(2);
    await expect(enter(database.inTransaction)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await used()).toEqual({ accessi_usati: 0 });
    await enter(database.inTransaction);
    expect(await used()).toEqual({ accessi_usati: 1 });
  });
});

describe('what is asked together', () => {
  type Row = { id: string; moment: string };
  const insert = statement<Row>()((tx, value) =>
    tx
      .insertInto('event_logs')
      .values({ id: value.id, event_type: 'x', success: true, metadata: '{}', created_at: value.moment }),
  );
  const moment = '2027-03-28T00:30:00.000Z';
  const stored = async () =>
    (await database.db.selectFrom('event_logs').select('id').orderBy('id').execute()).map(({ id }) => id);

  it('is undone as a whole by the one that fails, which says why; the connection goes on', async () => {
    for (let round = 0; round < 3; round += 1) {
      const work = database.inTransaction((tx) =>
        Promise.all(['a', 'b', 'b', 'c'].map((id) => insert(tx, { id, moment }))),
      );
      await expect(work).rejects.toSatisfy(isUniqueViolation);
      expect(await stored()).toEqual([]);
    }
    await database.inTransaction((tx) => Promise.all(['a', 'b'].map((id) => insert(tx, { id, moment }))));
    expect(await stored()).toEqual(['a', 'b']);
  });

  it('is undone, too, where the work swallows what failed', async () => {
    const work = database.inTransaction(async (tx) => {
      await Promise.allSettled(['a', 'a', 'b'].map((id) => insert(tx, { id, moment })));
    });
    await expect(work).rejects.toThrow();
    expect(await stored()).toEqual([]);
  });

  it('is lost with its connection, and nothing of it is kept', async () => {
    const work = database.inTransaction(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      const asked = ['a', 'b', 'c'].map((id) => insert(tx, { id, moment }));
      await kill(rows[0]?.pid ?? 0);
      await Promise.all([...asked, insert(tx, { id: 'd', moment })]);
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await stored()).toEqual([]);
  });

  it('leaves in one flight, and comes back in its order', async () => {
    const flights = await flightsOf(database);
    const answers = await database.inTransaction((tx) =>
      Promise.all(['a', 'b', 'c'].map((id) => numbered(tx, { id }))),
    );
    expect(answers).toEqual([[{ id: 'a' }], [{ id: 'b' }], [{ id: 'c' }]]);
    // begin, the three, commit
    expect(flights()).toBe(3);
  });
});

const numbered = statement<{ id: string }>()((tx, value) =>
  tx.selectNoFrom((eb) => eb.val(value.id).as('id')),
);

describe('what is asked over and over', () => {
  const byId = statement<{ id: string }>()((tx, value) =>
    tx.selectFrom('tokens').selectAll().where('id', '=', value.id),
  );
  const names = async (tx: Db) =>
    (await sql<{ name: string }>`select name from pg_prepared_statements`.execute(tx)).rows.map(
      ({ name }) => name,
    );
  const forget = (tx: Db) => sql`deallocate all`.execute(tx);

  it('is prepared once, under a name of its own words', async () => {
    const found = await database.inTransaction(async (tx) => {
      for (const id of ['a', 'b', 'a']) expect(await byId(tx, { id })).toMatchObject([{ id }]);
      return names(tx);
    });
    expect(found).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
  });

  it('has no name where a pooler may stand between', async () => {
    const behind = await openDatabase({
      ...database.env,
      DATABASE_DIRECT_URL: database.env.DATABASE_URL,
    });
    const found = await behind.inTransaction(async (tx) => {
      expect(await byId(tx, { id: 'a' })).toMatchObject([{ id: 'a' }]);
      return names(tx);
    });
    await behind.close();
    expect(found).toEqual([]);
  });

  it('is asked without one from the moment that its name leads nowhere, and the work runs again', async () => {
    let runs = 0;
    const work = () =>
      database.inTransaction(async (tx) => {
        runs += 1;
        await use(tx, 'a');
        await byId(tx, { id: 'a' });
        await forget(tx);
        return [...(await byId(tx, { id: 'b' })), ...(await names(tx))];
      });
    expect(await work()).toMatchObject([{ id: 'b' }]);
    expect(runs).toBe(2);
    expect(await work()).toMatchObject([{ id: 'b' }]);
    expect(runs).toBe(3);
    expect(await byId(database.db, { id: 'a' })).toMatchObject([{ accessi_usati: 2 }]);
  });

  it('outside a transaction is asked once more, and answered', async () => {
    await byId(database.db, { id: 'a' });
    await forget(database.db);
    expect(await byId(database.db, { id: 'b' })).toMatchObject([{ id: 'b' }]);
    expect(await names(database.db)).toEqual([]);
  });

  it('is answered by a table that a newer version has given a column', async () => {
    await byId(database.db, { id: 'a' });
    await sql`alter table tokens add column newer text default 'x'`.execute(database.db);
    const inside = await database.inTransaction((tx) => byId(tx, { id: 'b' }));
    expect([...(await byId(database.db, { id: 'a' })), ...inside]).toMatchObject([
      { id: 'a', newer: 'x' },
      { id: 'b', newer: 'x' },
    ]);
  });
});
