import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DISK_ROOM } from '../../src/domain/limits.ts';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { sqliteDialect } from '../../src/server/db/sqlite-dialect.ts';
import { createReserveKeeper } from '../../src/server/features/disk/reserve.keeper.ts';
import { openReserve } from '../../src/server/storage/reserve.ts';
import { tokenRow } from '../support/rows.ts';

/** What is kept on the disk for the evening. tests/long/disk-full.test.ts fills a real one. */

let folder: string;
let free: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sorpresa-'));
  free = 10 * DISK_ROOM.reserve;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const size = () =>
  stat(join(folder, 'reserve')).then(
    (found) => found.size,
    () => null,
  );
const open = () => openReserve(folder, () => free);

test('a reserve is as large as it says, with real room taken, and is made only where enough stays free', async () => {
  free = DISK_ROOM.reserve + DISK_ROOM.low - 1;
  expect(await open().make()).toBe(false);
  expect(await size()).toBeNull();
  free += 1;
  const reserve = open();
  expect(await reserve.make()).toBe(true);
  const { size: bytes, blocks, mode } = await stat(join(folder, 'reserve'));
  expect([bytes, mode & 0o777]).toEqual([DISK_ROOM.reserve, 0o600]);
  expect(blocks * 512).toBeGreaterThanOrEqual(DISK_ROOM.reserve);
  free = 0;
  expect(await reserve.make()).toBe(true);
});

test('it is let go once, said so, and made again; what a crash left of it is made whole', async () => {
  const reserve = open();
  await reserve.make();
  let told = 0;
  reserve.onLetGo(() => (told += 1));
  reserve.letGo();
  reserve.letGo();
  expect([await size(), told, reserve.isHeld()]).toEqual([null, 1, false]);
  await reserve.make();
  await truncate(join(folder, 'reserve'), 1_000);
  expect(reserve.isHeld()).toBe(false);
  expect(await reserve.make()).toBe(true);
  expect(await size()).toBe(DISK_ROOM.reserve);
});

test('a start with next to nothing free lets it go before anything else', async () => {
  await open().make();
  free = 4 * 1024 ** 2;
  open();
  expect(await size()).toBe(DISK_ROOM.reserve);
  free -= 1;
  open();
  expect(await size()).toBeNull();
});

describe('a database that has no room', () => {
  let database: Database;
  let asked: number;
  let pages: number;
  const limit = (count: number) => sql`pragma max_page_count = ${sql.lit(count)}`.execute(database.db);
  const outside = AsyncLocalStorage.snapshot();
  beforeEach(async () => {
    asked = 0;
    const onFull = () => {
      asked += 1;
      // What is let go is room for this very file.
      if (pages > 0) void outside(() => limit(pages));
    };
    database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, { onFull });
    pages = 100_000;
    await limit(1);
  });
  afterEach(() => database.close());

  const long = 'x'.repeat(100_000);
  const write = (id: string) =>
    database.inTransaction((tx) =>
      tx
        .insertInto('tokens')
        .values(tokenRow(id, { nome: long }))
        .execute(),
    );
  const ids = async () =>
    (await database.db.selectFrom('tokens').select('id').orderBy('id').execute()).map(({ id }) => id);

  test('gets it, and every work is done once', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map(write));
    expect(await ids()).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toBeGreaterThan(0);
  });

  test('is unavailable when nothing was left to let go, keeps nothing of the work, and goes on when there is room', async () => {
    pages = 0;
    await expect(write('a')).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    expect(await ids()).toEqual([]);
    await limit(100_000);
    await write('b');
    expect(await ids()).toEqual(['b']);
  });

  test('isn’t meant where the file can’t be opened at all: nothing is let go', async () => {
    await expect(
      sqliteDialect(folder, () => (asked += 1))
        .createDriver()
        .init(),
    ).rejects.toThrow();
    expect(asked).toBe(0);
  });

  test('the owner is told once, and again when it happens again', async () => {
    await limit(100_000);
    const now = () => new Date('2027-02-14T19:00:00.000Z');
    const deps = { ...database, now, log: pino({ level: 'silent' }) };
    const look = createReserveKeeper(deps, open(), async () => {});
    const told = () => database.db.selectFrom('notifications').select(['type', 'payload']).execute();
    await look();
    expect(await told()).toEqual([]);
    for (const times of [1, 2]) {
      await rm(join(folder, 'reserve'));
      free = DISK_ROOM.low;
      await look();
      await look();
      const messages = await told();
      expect(messages).toHaveLength(times);
      expect(messages[0]).toMatchObject({
        type: 'error',
        payload: expect.stringContaining('Spazio esaurito'),
      });
      free = 10 * DISK_ROOM.reserve;
      await look();
      expect(await size()).toBe(DISK_ROOM.reserve);
    }
  });
});
