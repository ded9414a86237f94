import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isUniqueViolation } from '../../src/server/db/errors.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { tokenRow } from '../support/rows.ts';

const use = (tx: Db, id: string) =>
  tx
    .updateTable('tokens')
    .set((row) => ({ accessi_usati: row('accessi_usati', '+', 1) }))
    .where('id', '=', id)
    .whereRef('accessi_usati', '<', 'max_accessi')
    .returning('accessi_usati')
    .executeTakeFirst();

const add = (tx: Db, id: string) => tx.insertInto('tokens').values(tokenRow(id)).execute();

describe.each(eachDatabase)('the door for writes on %s', (_name, open) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.drop());

  const ids = async () => {
    const rows = await database.db.selectFrom('tokens').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  };

  it('undoes all of a work that throws, and nothing of the works beside it', async () => {
    const { db, inTransaction } = database;
    await add(db, 'taken');
    const outcomes = await Promise.allSettled([
      inTransaction(async (tx) => (await add(tx, 'a'), 'first')),
      inTransaction(async (tx) => {
        await add(tx, 'b');
        await add(tx, 'c');
        throw new RangeError('changed my mind');
      }),
      inTransaction((tx) => add(tx, 'taken')),
      inTransaction(async (tx) => (await add(tx, 'd'), 'last')),
    ]);
    expect(outcomes[0]).toEqual({ status: 'fulfilled', value: 'first' });
    expect(outcomes[1]).toEqual({ status: 'rejected', reason: new RangeError('changed my mind') });
    expect(outcomes[2]).toMatchObject({ status: 'rejected', reason: expect.toSatisfy(isUniqueViolation) });
    expect(outcomes[3]).toEqual({ status: 'fulfilled', value: 'last' });
    expect(await ids()).toEqual(['a', 'd', 'taken']);
  });

  it('never admits more than the limit among 100 works at once', async () => {
    await database.db
      .insertInto('tokens')
      .values(tokenRow('a', { max_accessi: 7 }))
      .execute();
    // More would have to wait on PostgreSQL longer than the three seconds anybody waits for one of its ten connections.
    const works = Array.from({ length: 100 }, (_, n) =>
      database.inTransaction(async (tx) => {
        const used = await use(tx, 'a');
        await tx
          .insertInto('access_logs')
          .values({ id: `log-${n}`, success: used !== undefined, created_at: '2027-03-28T00:30:00.000Z' })
          .execute();
        return used?.accessi_usati;
      }),
    );
    const admitted = (await Promise.all(works)).filter((used) => used !== undefined);
    expect(admitted.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const logs = await database.db
      .selectFrom('access_logs')
      .select((row) => ['success', row.fn.countAll<number>().as('rows')])
      .groupBy('success')
      .orderBy('success')
      .execute();
    expect(logs).toEqual([
      { success: false, rows: 93 },
      { success: true, rows: 7 },
    ]);
  });

  it('settles a work only when others can see it', async () => {
    const other = await outsider(database);
    const works = Array.from({ length: 30 }, (_, n) =>
      database
        .inTransaction((tx) => add(tx, `t${n}`))
        .then(async () => expect(await other.sees(`t${n}`)).toBe(true)),
    );
    await Promise.all(works);
    await other.close();
  });

  it('refuses what would wait for itself or escape from the transaction', async () => {
    const { db, inTransaction } = database;
    await expect(inTransaction(async () => db.selectFrom('tokens').selectAll().execute())).rejects.toThrow(
      'goes through `tx`',
    );
    await expect(inTransaction(() => inTransaction((tx) => add(tx, 'a')))).rejects.toThrow(
      'goes through `tx`',
    );
    const escaped = await inTransaction(async (tx) => tx);
    await expect(add(escaped, 'b')).rejects.toThrow('a query was not awaited');
    expect(await ids()).toEqual([]);
  });

  it('keeps a straggler of a failed work out of the others', async () => {
    const { inTransaction } = database;
    let straggler: Promise<unknown> = Promise.resolve();
    const failed = inTransaction(async (tx) => {
      await add(tx, 'a');
      straggler = (async () => {
        for (const id of ['b', 'c', 'd', 'e']) await add(tx, id);
      })();
      straggler.catch(() => undefined);
      await add(tx, 'a');
    });
    const beside = inTransaction(async (tx) => {
      for (const id of ['w', 'x', 'y', 'z']) await add(tx, id);
    });
    await expect(failed).rejects.toSatisfy(isUniqueViolation);
    await beside;
    await expect(straggler).rejects.toThrow();
    expect(await ids()).toEqual(['w', 'x', 'y', 'z']);
  });

  it('waits for the queries a work forgot to await', async () => {
    const forgotten: Promise<unknown>[] = [];
    await database.inTransaction(async (tx) => {
      for (const id of ['a', 'b', 'c', 'd']) forgotten.push(add(tx, id));
    });
    expect(await ids()).toEqual(['a', 'b', 'c', 'd']);
    const failed = database.inTransaction(async (tx) => {
      for (const id of ['e', 'f', 'g']) forgotten.push(add(tx, id));
      throw new RangeError('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await Promise.all(forgotten);
    expect(await ids()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lives side by side with transactions opened on the database itself', async () => {
    const { db, inTransaction } = database;
    await add(db, 'a');
    const own = (n: number) =>
      db.transaction().execute(async (tx) => {
        await use(tx, 'a');
        await new Promise(setImmediate);
        if (n % 5 === 0) throw new RangeError('undone');
        await use(tx, 'a');
      });
    const all = Array.from({ length: 50 }, (_, n) => [
      own(n),
      inTransaction((tx) => use(tx, 'a')),
      db.selectFrom('tokens').selectAll().execute(),
    ]);
    await Promise.allSettled(all.flat());
    const row = await db.selectFrom('tokens').select('accessi_usati').executeTakeFirstOrThrow();
    expect(row.accessi_usati).toBe(40 * 2 + 50);
  });

  it('runs a work in the context of who asked for it', async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const context = new AsyncLocalStorage<number>();
    const seen = await Promise.all(
      [1, 2, 3].map((n) =>
        context.run(n, () =>
          database.inTransaction(async (tx) => (await add(tx, `c${n}`), context.getStore())),
        ),
      ),
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it('takes a query in pieces and raw SQL alike', async () => {
    const sum = await database.inTransaction(async (tx) => {
      const { rows } = await sql<{ total: number }>`select cast(${2} as integer) + 3 as total`.execute(tx);
      return rows;
    });
    expect(sum).toEqual([{ total: 5 }]);
  });
});

/** Looks at the same database through another connection: a second process's view. */
async function outsider(
  database: TestDatabase,
): Promise<{ sees(id: string): Promise<boolean>; close(): Promise<void> }> {
  if (database.kind === 'postgres') {
    const second = await openDatabase(database.env);
    const sees = async (id: string) =>
      (await second.db.selectFrom('tokens').select('id').where('id', '=', id).execute()).length === 1;
    return { sees, close: () => second.close() };
  }
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(`${database.env.DATA_DIR}/sorpresa.db`, { readOnly: true });
  const query = file.prepare('select id from tokens where id = ?');
  return { sees: async (id) => query.get(id) !== undefined, close: async () => file.close() };
}
