import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseUnavailable, isUnavailable, isUniqueViolation } from '../../src/server/db/errors.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { statement } from '../../src/server/db/statement.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { countRoundTrips } from '../support/flights.ts';
import { queryPostgres } from '../support/own-postgres.ts';
import { tokenRow } from '../support/rows.ts';

/** Behaviour of transactions that only PostgreSQL has. */

const MOMENT = '2027-03-28T00:30:00.000Z';

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
/** Returns the number of uses of both codes. */
const used = async () =>
  (await database.db.selectFrom('tokens').select('accessi_usati').orderBy('id').execute()).map(
    ({ accessi_usati }) => accessi_usati,
  );

/** Ends the connection of a transaction. */
async function kill(tx: Db): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  await queryPostgres(database.env.DATABASE_URL ?? '', `select pg_terminate_backend(${rows[0]?.pid})`);
}

it('retries a transaction that a deadlock rolled back', async () => {
  let ready = 0;
  const { promise: gate, resolve: bothHoldOne } = Promise.withResolvers<void>();
  const { promise: oneIsThrough, resolve: through } = Promise.withResolvers<void>();
  const crossing = (first: string, second: string) =>
    database
      .inTransaction(async (tx) => {
        // The one that was rolled back could lock its row again before the other has woken, and cause another deadlock.
        if (ready >= 2) await oneIsThrough;
        await use(tx, first);
        ready += 1;
        if (ready >= 2) bothHoldOne();
        await gate;
        await use(tx, second);
      })
      .then(through);
  await Promise.all([crossing('a', 'b'), crossing('b', 'a')]);
  expect([ready, await used()]).toEqual([3, [2, 2]]);
});

it('survives the end of its connections, and reports a missing database as unavailable', async () => {
  const work = database.inTransaction(async (tx) => {
    await use(tx, 'a');
    await kill(tx);
    await use(tx, 'b');
  });
  await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
  await database.inTransaction((tx) => use(tx, 'a'));
  expect(await used()).toEqual([1, 0]);
  const unreachable = openDatabase({ DATA_DIR: '.', DATABASE_URL: 'postgres://postgres@127.0.0.1:9/none' });
  await expect(unreachable).rejects.toSatisfy(isUnavailable);
});

describe('queries sent together', () => {
  const insert = statement<{ id: string }>()((tx, { id }) =>
    tx
      .insertInto('event_logs')
      .values({ id, event_type: 'x', success: true, metadata: '{}', created_at: MOMENT }),
  );
  const all = (tx: Db, ...ids: string[]) => ids.map((id) => insert(tx, { id }));
  const stored = async () =>
    (await database.db.selectFrom('event_logs').select('id').orderBy('id').execute()).map(({ id }) => id);

  it('are rolled back completely if one fails or the connection is lost, even if the error is ignored', async () => {
    const { inTransaction } = database;
    for (let round = 0; round < 3; round += 1) {
      const work = inTransaction((tx) => Promise.all(all(tx, 'a', 'b', 'b', 'c')));
      await expect(work).rejects.toSatisfy(isUniqueViolation);
    }
    const swallowing = inTransaction(async (tx) => void (await Promise.allSettled(all(tx, 'a', 'a', 'b'))));
    await expect(swallowing).rejects.toThrow();
    const losing = inTransaction(async (tx) => {
      const sent = all(tx, 'a', 'b', 'c');
      await kill(tx);
      await Promise.all([...sent, ...all(tx, 'd')]);
    });
    await expect(losing).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await stored()).toEqual([]);
    await inTransaction((tx) => Promise.all(all(tx, 'a', 'b')));
    expect(await stored()).toEqual(['a', 'b']);
  });

  it('take one round trip, and return in order', async () => {
    const numbered = statement<{ id: string }>()((tx, value) =>
      tx.selectNoFrom((eb) => eb.val(value.id).as('id')),
    );
    const flights = await countRoundTrips(database);
    const answers = await database.inTransaction((tx) =>
      Promise.all(['a', 'b', 'c'].map((id) => numbered(tx, { id }))),
    );
    expect(answers).toEqual([[{ id: 'a' }], [{ id: 'b' }], [{ id: 'c' }]]);
    // begin, the three queries, commit
    expect(flights()).toBe(3);
  });
});

describe('repeated queries', () => {
  const byId = statement<{ id: string }>()((tx, value) =>
    tx.selectFrom('tokens').selectAll().where('id', '=', value.id),
  );
  const names = async (tx: Db) =>
    (await sql<{ name: string }>`select name from pg_prepared_statements`.execute(tx)).rows.map(
      ({ name }) => name,
    );
  const forget = (tx: Db) => sql`deallocate all`.execute(tx);

  it('are prepared once, under a name from their text, unless there may be a pooler', async () => {
    const ask = ({ inTransaction }: Pick<TestDatabase, 'inTransaction'>) =>
      inTransaction(async (tx) => {
        for (const id of ['a', 'b', 'a']) expect(await byId(tx, { id })).toMatchObject([{ id }]);
        return names(tx);
      });
    expect(await ask(database)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
    const { DATABASE_URL } = database.env;
    const behind = await openDatabase({ ...database.env, DATABASE_DIRECT_URL: DATABASE_URL });
    expect(await ask(behind)).toEqual([]);
    await behind.close();
  });

  it('are sent without a name once it is unknown, and the transaction runs again', async () => {
    let runs = 0;
    const work = () =>
      database.inTransaction(async (tx) => {
        runs += 1;
        await use(tx, 'a');
        await byId(tx, { id: 'a' });
        await forget(tx);
        return [...(await byId(tx, { id: 'b' })), ...(await names(tx))];
      });
    for (const after of [2, 3]) {
      expect(await work()).toMatchObject([{ id: 'b' }]);
      expect(runs).toBe(after);
    }
    expect(await used()).toEqual([2, 0]);
  });
});
