import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statement } from '../../src/server/db/statement.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { tokenRow } from '../support/rows.ts';

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

describe.each(eachDatabase)('a statement on %s', (_name, open) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    const rows = ['a', 'b', 'c'].map((id) => tokenRow(id, { nome: `name of ${id}`, attivo: id !== 'c' }));
    await database.db.insertInto('tokens').values(rows).execute();
  });
  afterEach(() => database.drop());

  it('is put into words once, and answers by the values of the moment', async () => {
    const { db, inTransaction } = database;
    built = 0;
    const of = (id: string, nome = '') => namedLike(db, { id, nome });
    expect(await of('a')).toEqual([{ id: 'a', nome: 'name of a', attivo: true }]);
    expect(await of('a', 'name of b')).toHaveLength(2);
    expect(await of('c')).toEqual([]);
    expect(await inTransaction((tx) => namedLike(tx, { id: 'b', nome: '' }))).toHaveLength(1);
    expect(built).toBe(1);
  });

  it('belongs to the transaction it is asked in', async () => {
    const { db, inTransaction } = database;
    const work = inTransaction(async (tx) => {
      expect(await rename(tx, { id: 'a', nome: 'new' })).toEqual([{ id: 'a' }]);
      expect(await namedLike(tx, { id: '', nome: 'new' })).toHaveLength(1);
      throw new RangeError('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await namedLike(db, { id: '', nome: 'new' })).toEqual([]);
  });

  it('is refused once its transaction has ended, and outside of it inside one', async () => {
    const { db, inTransaction } = database;
    const escaped = await inTransaction(async (tx) => tx);
    await expect(rename(escaped, { id: 'a', nome: 'new' })).rejects.toThrow('a query was not awaited');
    await expect(inTransaction(() => namedLike(db, { id: 'a', nome: '' }))).rejects.toThrow(
      'goes through `tx`',
    );
  });

  it('is waited for where nobody waits for it', async () => {
    const { db, inTransaction } = database;
    await inTransaction(async (tx) => void rename(tx, { id: 'a', nome: 'new' }));
    expect(await namedLike(db, { id: '', nome: 'new' })).toHaveLength(1);
  });

  it('writes outside a transaction as well', async () => {
    await rename(database.db, { id: 'a', nome: 'new' });
    expect(await namedLike(database.db, { id: '', nome: 'new' })).toHaveLength(1);
  });
});

it.each(eachDatabase)(
  'a limit on %s is one, as a number and as a value of the moment',
  async (name, open) => {
    const database = await open();
    const rows = ['a', 'b', 'c'].map((id) => tokenRow(id, { nome: id }));
    await database.db.insertInto('tokens').values(rows).execute();
    const names = database.db.selectFrom('tokens').select('nome').orderBy('nome');
    expect(await names.limit(2).execute()).toEqual([{ nome: 'a' }, { nome: 'b' }]);
    const some = statement<{ most: number }>()((db, value) =>
      db.selectFrom('tokens').select('nome').orderBy('nome').limit(value.most),
    );
    expect(await some(database.db, { most: 1 })).toEqual([{ nome: 'a' }]);
    expect(await some(database.db, { most: 3 })).toHaveLength(3);
    const { sql, parameters } = names.limit(2).compile();
    expect([sql.endsWith('limit 2'), parameters]).toEqual(name === 'sqlite' ? [true, []] : [false, [2]]);
    await database.drop();
  },
);
