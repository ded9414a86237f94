import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../src/server/db/unavailable.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { tokenRow } from '../support/rows.ts';

let database: TestDatabase;
let other: DatabaseSync;
beforeEach(async () => {
  database = await sqliteDatabase();
  other = new DatabaseSync(`${database.env.DATA_DIR}/sorpresa.db`);
});
afterEach(async () => {
  other.close();
  await database.drop();
});

const add = (id: string, nome = 'x') =>
  database.inTransaction((tx) => tx.insertInto('tokens').values(tokenRow(id, { nome })).execute());
const rowsOutside = () => Number(other.prepare('select count(*) as n from tokens').get()?.n);

const pragma = async (name: string) =>
  Object.values((await sql<object>`pragma ${sql.raw(name)}`.execute(database.db)).rows[0] ?? {})[0];

it('sets what durability rests on, at every opening', async () => {
  expect(await pragma('journal_mode')).toBe('wal');
  expect(await pragma('synchronous')).toBe(2);
  expect(await pragma('foreign_keys')).toBe(1);
  expect(await pragma('fullfsync')).toBe(1);
  expect(await pragma('checkpoint_fullfsync')).toBe(1);
});

it('gives works of the same turn one commit', async () => {
  const seen: number[] = [];
  const works = ['a', 'b', 'c'].map((id) =>
    database.inTransaction(async (tx) => {
      await tx.insertInto('tokens').values(tokenRow(id)).execute();
      seen.push(rowsOutside());
    }),
  );
  await Promise.all(works);
  expect(seen).toEqual([0, 0, 0]);
  expect(rowsOutside()).toBe(3);
});

it('runs the works of a batch once more when one of them throws, and keeps each once', async () => {
  const runs = { a: 0, b: 0, c: 0 };
  const works = (['a', 'b', 'c'] as const).map((id) =>
    database.inTransaction(async (tx) => {
      runs[id] += 1;
      await tx.insertInto('tokens').values(tokenRow(id)).execute();
      if (id === 'b') throw new RangeError('changed my mind');
    }),
  );
  const outcomes = await Promise.allSettled(works);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(runs).toEqual({ a: 2, b: 2, c: 1 });
  expect(rowsOutside()).toBe(2);
});

it('looks at what is committed while a work is under way', async () => {
  await add('a');
  const { promise: looked, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
  const work = database.inTransaction(async (tx) => {
    await tx.updateTable('tokens').set({ nome: 'new' }).execute();
    wrote();
    await looked;
  });
  await written;
  const look = () => database.db.selectFrom('tokens').select('nome').execute();
  expect(await look()).toEqual([{ nome: 'x' }]);
  goOn();
  await work;
  expect(await look()).toEqual([{ nome: 'new' }]);
});

it('sees a change of the tables on the connection that looks, too', async () => {
  const look = () => database.db.selectFrom('tokens').selectAll().execute();
  await add('a');
  await look();
  await sql`alter table tokens add column fresh boolean not null default true`.execute(database.db);
  expect(await look()).toEqual([expect.objectContaining({ id: 'a', fresh: true })]);
});

it('waits for a lock of another process without freezing, and then succeeds', async () => {
  other.exec('begin immediate');
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  const work = add('a');
  const alone = database.db.insertInto('tokens').values(tokenRow('b')).execute();
  await delay(1_200);
  other.exec('rollback');
  await Promise.all([work, alone]);
  lag.disable();
  // A call that blocks waits 50 ms at most; the rest of the allowance is for a busy machine.
  expect(lag.max / 1e6).toBeLessThan(600);
  expect(rowsOutside()).toBe(2);
});

it('gives up after three seconds, everybody together, and recovers', async () => {
  other.exec('begin immediate');
  const started = performance.now();
  const outcomes = await Promise.allSettled([
    add('a'),
    add('b'),
    database.db.insertInto('tokens').values(tokenRow('c')).execute(),
  ]);
  const waited = performance.now() - started;
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(DatabaseUnavailable) });
  expect(waited).toBeGreaterThan(2_900);
  expect(waited).toBeLessThan(8_000);
  other.exec('rollback');
  await add('d');
  expect(rowsOutside()).toBe(1);
});

it('says that the database is unavailable when there is no room, and goes on when there is again', async () => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db);
  const pages = rows[0]?.page_count ?? 0;
  const limit = (to: number) => sql`pragma max_page_count = ${sql.raw(String(to))}`.execute(database.db);
  await limit(pages + 2);
  const outcomes = await Promise.allSettled([add('a'), add('b', 'x'.repeat(1_000_000)), add('c')]);
  expect(outcomes[1]).toMatchObject({ reason: expect.any(DatabaseUnavailable) });
  const acknowledged = outcomes.filter(({ status }) => status === 'fulfilled').length;
  expect(rowsOutside()).toBe(acknowledged);
  await limit(1_000_000);
  await add('d', 'x'.repeat(1_000_000));
  expect(rowsOutside()).toBe(acknowledged + 1);
  expect(other.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

it('refuses work once closed', async () => {
  const early = expect(add('a')).rejects.toThrow();
  await database.close();
  await early;
  await expect(add('b')).rejects.toThrow();
});
