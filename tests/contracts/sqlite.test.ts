import { AsyncLocalStorage } from 'node:async_hooks';
import { rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { DISK_SPACE } from '../../src/domain/limits.ts';
import { DatabaseUnavailable } from '../../src/server/db/errors.ts';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { createReserveJob } from '../../src/server/features/media/sweep.ts';
import { openReserve } from '../../src/server/storage/open.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { tokenRow } from '../support/rows.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await sqliteDatabase();
  folder = database.env.DATA_DIR;
});
afterEach(async () => {
  vi.useRealTimers();
  await database.drop();
});

const add = (id: string, nome = 'x', { inTransaction }: Database = database) =>
  inTransaction((tx) => tx.insertInto('tokens').values(tokenRow(id, { nome })).execute());

describe('database file', () => {
  let other: DatabaseSync;
  beforeEach(() => {
    other = new DatabaseSync(`${folder}/sorpresa.db`);
  });
  afterEach(() => other.close());
  const rowsOutside = () => Number(other.prepare('select count(*) as n from tokens').get()?.n);

  it('is opened with durable settings every time', async () => {
    const names = ['journal_mode', 'synchronous', 'foreign_keys', 'fullfsync', 'checkpoint_fullfsync'];
    const values = names.map(async (name) => {
      const { rows } = await sql<object>`pragma ${sql.raw(name)}`.execute(database.db);
      return Object.values(rows[0] ?? {})[0];
    });
    expect(await Promise.all(values)).toEqual(['wal', 2, 1, 1, 1]);
  });

  it('has one commit for the transactions of a turn; if one throws they run again, each stored once', async () => {
    const seen: number[] = [];
    const resolved: number[] = [];
    const run = (ids: string[], fails = '') => {
      const runs = Object.fromEntries(ids.map((id) => [id, 0]));
      const works = ids.map((id) =>
        database.inTransaction(async (tx) => {
          runs[id] = (runs[id] ?? 0) + 1;
          await tx.insertInto('tokens').values(tokenRow(id)).execute();
          seen.push(rowsOutside());
          if (id === fails) throw new RangeError('changed my mind');
        }),
      );
      const ends = works.map((work) => work.then(() => resolved.push(rowsOutside())));
      return Promise.allSettled(ends).then((all) => ({ runs, ends: all.map(({ status }) => status) }));
    };
    await run(['a', 'b', 'c']);
    expect([seen, resolved]).toEqual([
      [0, 0, 0],
      [3, 3, 3],
    ]);
    expect(await run(['d', 'e', 'f'], 'e')).toEqual({
      runs: { d: 2, e: 2, f: 1 },
      ends: ['fulfilled', 'rejected', 'fulfilled'],
    });
    expect(rowsOutside()).toBe(5);
  });

  it('is read as committed during a transaction', async () => {
    await add('a');
    const { promise: looked, resolve: resume } = Promise.withResolvers<void>();
    const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
    const work = database.inTransaction(async (tx) => {
      await tx.updateTable('tokens').set({ nome: 'new' }).execute();
      wrote();
      await looked;
    });
    await written;
    const look = () => database.db.selectFrom('tokens').selectAll().execute();
    expect(await look()).toMatchObject([{ nome: 'x' }]);
    resume();
    await work;
    expect(await look()).toMatchObject([{ nome: 'new' }]);
  });

  it('waits for a lock of another process, three seconds at most', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const ends = () =>
      Promise.allSettled([
        add('a'),
        add('b'),
        database.db.insertInto('tokens').values(tokenRow('c')).execute(),
      ]);
    other.exec('begin immediate');
    const refused = ends();
    const settled = vi.fn();
    void refused.then(settled);
    // The lock is retried, and everything else continues.
    await delay(100);
    vi.advanceTimersByTime(3_000);
    await delay(100);
    expect(settled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await Promise.race([refused, delay(1_000)]);
    // On a busy machine the lock was first requested after the three seconds above; then these are its timeout.
    if (settled.mock.calls.length === 0) vi.advanceTimersByTime(3_000);
    for (const end of await refused) expect(end).toMatchObject({ reason: expect.any(DatabaseUnavailable) });
    const waiting = ends();
    await delay(100);
    other.exec('rollback');
    expect((await waiting).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect(rowsOutside()).toBe(3);
  });

  it('is unavailable when the disk is full, and available again when there is space', async () => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db);
    const limit = (to: number) => sql`pragma max_page_count = ${sql.lit(to)}`.execute(database.db);
    await limit((rows[0]?.page_count ?? 0) + 2);
    const results = await Promise.allSettled([add('a'), add('b', 'x'.repeat(1_000_000)), add('c')]);
    expect(results[1]).toMatchObject({ reason: expect.any(DatabaseUnavailable) });
    const acknowledged = results.filter(({ status }) => status === 'fulfilled').length;
    expect(rowsOutside()).toBe(acknowledged);
    await limit(1_000_000);
    await add('d', 'x'.repeat(1_000_000));
    expect(rowsOutside()).toBe(acknowledged + 1);
    expect(other.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  it('accepts no transaction after closing', async () => {
    const early = expect(add('a')).rejects.toThrow();
    await database.close();
    await early;
    await expect(add('b')).rejects.toThrow();
  });
});

/** Space that is reserved on the disk for the evening. tests/long/disk-full.test.ts fills a real disk. */
describe('reserve', () => {
  let free: number;
  beforeEach(() => {
    free = 10 * DISK_SPACE.reserve;
  });
  const file = () => join(folder, 'reserve');
  const size = () =>
    stat(file()).then(
      (found) => found.size,
      () => null,
    );
  const open = () => openReserve(folder, () => free);

  it('occupies its whole size, and is created only if enough space stays free', async () => {
    free = DISK_SPACE.reserve + DISK_SPACE.low - 1;
    expect([await open().make(), await size()]).toEqual([false, null]);
    free += 1;
    const reserve = open();
    expect(await reserve.make()).toBe(true);
    const { size: bytes, blocks, mode } = await stat(file());
    expect([bytes, mode & 0o777]).toEqual([DISK_SPACE.reserve, 0o600]);
    expect(blocks * 512).toBeGreaterThanOrEqual(DISK_SPACE.reserve);
    free = 0;
    expect(await reserve.make()).toBe(true);
  });

  it('is released once with a notification, and created again; a partial file is completed', async () => {
    const reserve = open();
    await reserve.make();
    const notified = vi.fn();
    reserve.onRelease(notified);
    reserve.release();
    reserve.release();
    expect([await size(), notified.mock.calls.length, reserve.exists()]).toEqual([null, 1, false]);
    await reserve.make();
    await truncate(file(), 1_000);
    expect(reserve.exists()).toBe(false);
    expect([await reserve.make(), await size()]).toEqual([true, DISK_SPACE.reserve]);
    // A start with almost no free space releases it first.
    free = 4 * 1024 ** 2;
    open();
    expect(await size()).toBe(DISK_SPACE.reserve);
    free -= 1;
    open();
    expect(await size()).toBeNull();
  });

  describe('for a full database', () => {
    let full: Database;
    let onFull: Mock<() => void>;
    const limit = (count: number) => sql`pragma max_page_count = ${sql.lit(count)}`.execute(full.db);
    const outside = AsyncLocalStorage.snapshot();
    beforeEach(async () => {
      await database.close();
      // Releasing the reserve makes room for this database file.
      onFull = vi.fn((): void => void outside(() => limit(100_000)));
      full = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, { onFull });
    });
    afterEach(() => full.close());
    const write = (id: string) => add(id, 'x'.repeat(100_000), full);
    const ids = async () =>
      (await full.db.selectFrom('tokens').select('id').orderBy('id').execute()).map(({ id }) => id);

    it('is released, and every transaction is done once', async () => {
      await limit(1);
      await Promise.all(['a', 'b', 'c', 'd'].map(write));
      expect(await ids()).toEqual(['a', 'b', 'c', 'd']);
      expect(onFull).toHaveBeenCalled();
    });

    it('is reported to the owner once when missing, and again the next time', async () => {
      const now = () => new Date('2027-02-14T19:00:00.000Z');
      const deps = { ...full, now, log: pino({ level: 'silent' }) };
      const look = createReserveJob(deps, open(), async () => {});
      const notified = () => full.db.selectFrom('notifications').select(['type', 'payload']).execute();
      await look();
      expect(await notified()).toEqual([]);
      for (const times of [1, 2]) {
        await rm(file());
        free = DISK_SPACE.low;
        await look();
        await look();
        const messages = await notified();
        expect(messages).toHaveLength(times);
        expect(messages[0]).toMatchObject({
          type: 'error',
          payload: expect.stringContaining('Spazio esaurito'),
        });
        free = 10 * DISK_SPACE.reserve;
        await look();
        expect(await size()).toBe(DISK_SPACE.reserve);
      }
    });
  });
});
