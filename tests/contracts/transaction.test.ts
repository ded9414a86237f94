import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isUniqueViolation } from '../../src/server/db/errors.ts';
import { statement } from '../../src/server/db/statement.ts';
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

const add = (tx: Db, id: string, change: object = {}) =>
  tx.insertInto('tokens').values(tokenRow(id, change)).execute();

let built = 0;
const namedLike = statement<{ id: string; nome: string }>()((db, value) => {
  built += 1;
  return db
    .selectFrom('tokens')
    .select(['id', 'nome', 'attivo'])
    .where('attivo', '=', true)
    .where((eb) => eb.or([eb('nome', '=', value.nome), eb('id', '=', value.id)]))
    .orderBy('id');
});
const rename = statement<{ id: string; nome: string }>()((db, value) =>
  db.updateTable('tokens').set({ nome: value.nome }).where('id', '=', value.id).returning('id'),
);
const some = statement<{ most: number }>()((db, value) =>
  db.selectFrom('tokens').select('nome').orderBy('nome').limit(value.most),
);

describe.each(eachDatabase)('transactions on %s', (_name, open) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.drop());

  const ids = async () =>
    (await database.db.selectFrom('tokens').select('id').orderBy('id').execute()).map(({ id }) => id);

  it('roll back everything that a throwing one did, and nothing of concurrent ones', async () => {
    const { db, inTransaction } = database;
    await add(db, 'taken');
    const results = await Promise.allSettled([
      inTransaction(async (tx) => (await add(tx, 'a'), 'first')),
      inTransaction(async (tx) => {
        for (const id of ['b', 'c']) await add(tx, id);
        throw new RangeError('changed my mind');
      }),
      inTransaction((tx) => add(tx, 'taken')),
      inTransaction(async (tx) => (await add(tx, 'd'), 'last')),
    ]);
    expect(results).toEqual([
      { status: 'fulfilled', value: 'first' },
      { status: 'rejected', reason: new RangeError('changed my mind') },
      { status: 'rejected', reason: expect.toSatisfy(isUniqueViolation) },
      { status: 'fulfilled', value: 'last' },
    ]);
    expect(await ids()).toEqual(['a', 'd', 'taken']);
  });

  it('never admit more than the limit among 100 at once', async () => {
    const { db, inTransaction } = database;
    await add(db, 'a', { max_accessi: 7 });
    // On PostgreSQL more would have to wait longer than the three seconds' timeout for one of its ten connections.
    const works = Array.from({ length: 100 }, (_, n) =>
      inTransaction(async (tx) => {
        const used = await use(tx, 'a');
        const row = { id: `log-${n}`, success: used !== undefined, created_at: '2027-03-28T00:30:00.000Z' };
        await tx.insertInto('access_logs').values(row).execute();
        return used?.accessi_usati;
      }),
    );
    const admitted = (await Promise.all(works)).filter((used) => used !== undefined);
    expect(admitted.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const logs = await db.selectFrom('access_logs').select('success').execute();
    expect([logs.length, logs.filter(({ success }) => success).length]).toEqual([100, 7]);
  });

  it('refuse queries and statements that would wait for themselves or run outside', async () => {
    const { db, inTransaction } = database;
    for (const inside of [
      () => db.selectFrom('tokens').selectAll().execute(),
      () => namedLike(db, { id: 'a', nome: '' }),
      () => inTransaction((tx) => add(tx, 'a')),
    ])
      await expect(inTransaction(async () => void (await inside()))).rejects.toThrow('goes through `tx`');
    const escaped = await inTransaction(async (tx) => tx);
    for (const late of [add(escaped, 'b'), rename(escaped, { id: 'a', nome: 'new' })])
      await expect(late).rejects.toThrow('a query was not awaited');
    expect(await ids()).toEqual([]);
  });

  it('keep a late query of a failed one out of the others', async () => {
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
    const concurrent = inTransaction(async (tx) => {
      for (const id of ['w', 'x', 'y', 'z']) await add(tx, id);
    });
    await expect(failed).rejects.toSatisfy(isUniqueViolation);
    await concurrent;
    await expect(straggler).rejects.toThrow();
    expect(await ids()).toEqual(['w', 'x', 'y', 'z']);
  });

  it('run next to those opened on the database itself, each in its caller’s context', async () => {
    const { db, inTransaction } = database;
    await add(db, 'a');
    const own = (n: number) =>
      db.transaction().execute(async (tx) => {
        await use(tx, 'a');
        await new Promise(setImmediate);
        if (n % 5 === 0) throw new RangeError('undone');
        await use(tx, 'a');
      });
    const context = new AsyncLocalStorage<number>();
    const all = Array.from({ length: 50 }, (_, n) => [
      own(n),
      context.run(n, () =>
        inTransaction(async (tx) => {
          await use(tx, 'a');
          expect(context.getStore()).toBe(n);
        }),
      ),
      db.selectFrom('tokens').selectAll().execute(),
    ]);
    const ends = await Promise.allSettled(all.flat());
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    const row = await db.selectFrom('tokens').select('accessi_usati').executeTakeFirstOrThrow();
    expect(row.accessi_usati).toBe(40 * 2 + 50);
    const sum = await inTransaction((tx) =>
      sql<{ total: number }>`select cast(${2} as integer) + 3 as total`.execute(tx),
    );
    expect(sum.rows).toEqual([{ total: 5 }]);
  });

  it('have statements that are compiled once and use the current values', async () => {
    const { db, inTransaction } = database;
    for (const id of ['a', 'b', 'c']) await add(db, id, { nome: `name of ${id}`, attivo: id !== 'c' });
    built = 0;
    const of = (id: string, nome = '') => namedLike(db, { id, nome });
    expect(await of('a')).toEqual([{ id: 'a', nome: 'name of a', attivo: true }]);
    expect(await of('a', 'name of b')).toHaveLength(2);
    expect(await of('c')).toEqual([]);
    expect(await inTransaction((tx) => namedLike(tx, { id: 'b', nome: '' }))).toHaveLength(1);
    expect(built).toBe(1);
    const work = inTransaction(async (tx) => {
      expect(await rename(tx, { id: 'a', nome: 'new' })).toEqual([{ id: 'a' }]);
      expect(await namedLike(tx, { id: '', nome: 'new' })).toHaveLength(1);
      throw new RangeError('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await of('', 'new')).toEqual([]);
    await rename(db, { id: 'a', nome: 'new' });
    expect(await of('', 'new')).toHaveLength(1);
    for (const most of [1, 3]) expect(await some(db, { most })).toHaveLength(most);
  });
});
