import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Clock } from '../../src/server/clock.ts';
import { databaseClock } from '../../src/server/database-clock.ts';
import { readClock } from '../../src/server/db/ping.ts';
import { postgresDatabase } from '../support/databases.ts';

const EVERY = 5_000;

/** The machine's two clocks, and the database's; how long a question takes to get there and its answer to come back, in ms. */
const at = { wall: 0, steady: 0, database: 0 };
let way = { there: 0, back: 0 };
let away = false;
let clock: Clock;
const log = { warn: vi.fn(), info: vi.fn(), debug: vi.fn() };

const pass = (ms: number) => {
  for (const each of ['wall', 'steady', 'database'] as const) at[each] += ms;
};
const ask = async () => {
  if (away) throw new Error('away');
  pass(way.there);
  const time = at.database;
  pass(way.back);
  return time;
};
/** A round of looking at the database's clock. */
const look = async () => {
  await vi.advanceTimersByTimeAsync(EVERY);
};
const start = async () => {
  clock = await databaseClock({ ask, read: () => ({ ...at }), log });
};
const late = () => at.database - clock.now().getTime();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  Object.assign(at, { wall: 1_000_000, steady: 70, database: 1_000_000 });
  way = { there: 0, back: 0 };
  away = false;
  for (const each of Object.values(log)) each.mockClear();
});
afterEach(async () => {
  await clock.stop();
  vi.useRealTimers();
});

test('the time is the database’s, whatever the machine’s own clock says and does', async () => {
  at.wall += 300_000;
  await start();
  expect(late()).toBe(0);
  pass(60_000);
  at.wall -= 86_400_000;
  expect(late()).toBe(0);
  at.database += 1_500;
  await look();
  expect(late()).toBe(0);
});

test('a slow answer moves nothing that it doesn’t disprove, a quick one makes it exact', async () => {
  way = { there: 800, back: 0 };
  await start();
  expect(late()).toBe(-400);
  way = { there: 1, back: 1 };
  await look();
  expect(Math.abs(late())).toBeLessThanOrEqual(1);
  const before = late();
  way = { there: 9_000, back: 10 };
  await look();
  expect(late()).toBe(before);
});

test('while the database is away it goes on, and is asked again afterwards', async () => {
  await start();
  away = true;
  for (let n = 0; n < 5; n += 1) {
    pass(EVERY);
    await look();
  }
  expect(late()).toBe(0);
  away = false;
  at.database += 700;
  await look();
  expect(late()).toBe(0);
});

test('a machine that is more than two seconds off says so once, and once that it is right again', async () => {
  await start();
  at.wall += 2_000;
  await look();
  expect(clock.isOff()).toBe(false);
  at.wall += 1;
  for (let n = 0; n < 3; n += 1) {
    await look();
    expect(clock.isOff()).toBe(true);
  }
  expect(log.warn).toHaveBeenCalledExactlyOnceWith({ ahead_ms: 2_001 }, expect.any(String));
  at.wall -= 4_001;
  for (let n = 0; n < 3; n += 1) {
    await look();
    expect(clock.isOff()).toBe(false);
  }
  expect(log.info).toHaveBeenCalledExactlyOnceWith({ ahead_ms: -2_000 }, expect.any(String));
  expect(log.warn).toHaveBeenCalledOnce();
  at.wall -= 1;
  expect(clock.isOff()).toBe(true);
});

test('PostgreSQL’s clock is asked, which goes on within a transaction', async () => {
  await start();
  vi.useRealTimers();
  const { db, inTransaction, drop } = await postgresDatabase();
  const [first, second] = await inTransaction(async (tx) => [await readClock(tx), await readClock(tx)]);
  expect(second).toBeGreaterThan(first ?? Number.NaN);
  expect(await readClock(db)).toBeGreaterThan(second ?? Number.NaN);
  await drop();
});
