import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTries, networkTries, type Tries, tooMany } from '../../src/server/limits/attempts.ts';
import { countFailure } from '../../src/server/limits/failures.repo.ts';
import { createSemaphore, type Semaphore } from '../../src/server/limits/semaphore.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { createClock, type TestClock } from '../support/deps.ts';

/** What one process adds to the counted failures. How many may be guessed is in tests/api/access-limits.test.ts and auth-limits.test.ts. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LIMITS = {
  network: { atOnce: 1, everyMs: 10 * SECOND },
  prefix56: { atOnce: 5, everyMs: 10 * SECOND },
  prefix48: { atOnce: 5, everyMs: 10 * SECOND },
};
const from = (address: string) => networkTries('code', Buffer.alloc(32, 1), address, LIMITS);
const HERS = from('192.0.2.1');

let database: TestDatabase;
let clock: TestClock;
let looks: number;
let held: number;
beforeEach(async () => {
  database = await sqliteDatabase();
  clock = createClock();
  [looks, held] = [0, 0];
});
afterEach(() => database.drop());

function triesWith(semaphore: Semaphore = createSemaphore(100)): Tries {
  const executeQuery = ((query) => {
    looks += 1;
    return database.db.executeQuery(query);
  }) as TestDatabase['db']['executeQuery'];
  const db = new Proxy(database.db, {
    get: (target, name) => {
      const own: unknown = name === 'executeQuery' ? executeQuery : Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
  return createTries({ db, now: clock.now, semaphore, spacing: async () => held });
}
const wrong = () => database.inTransaction((tx) => countFailure(tx, HERS, clock.now()));
const right = async () => ({ told: true });

describe('who has to wait', () => {
  test('is asked of the database once, and known until it is over', async () => {
    const tries = triesWith();
    await wrong();
    for (let times = 0; times < 3; times += 1)
      expect(await tries.run(HERS, right)).toEqual({ refused: 'TOO_MANY_ATTEMPTS', secondi: 10 });
    expect(looks).toBe(1);
    clock.advance(10 * SECOND - 1);
    expect(await tries.run(HERS, right)).toMatchObject({ secondi: 1 });
    expect(looks).toBe(1);
    clock.advance(1);
    expect(await tries.run(HERS, right)).toEqual({ told: true });
  });

  test('waits no longer for a clock that was set back', async () => {
    const tries = triesWith();
    await wrong();
    await tries.run(HERS, right);
    clock.advance(-1);
    await database.db.deleteFrom('rate_limits').execute();
    expect(await tries.run(HERS, right)).toEqual({ told: true });
  });

  test.each([
    [4 * SECOND, 6],
    [9_500, 1],
    [60 * SECOND, 1],
  ])('is told to stay away for the rest of it when held for %i ms: %i s', async (ms, secondi) => {
    const tries = triesWith();
    await wrong();
    held = ms;
    expect(await tries.run(HERS, right)).toMatchObject({ secondi });
  });

  test.each([
    [1, 1],
    [SECOND, 1],
    [SECOND + 1, 2],
  ])('for %i ms is told so in whole seconds: %i', (ms, secondi) => {
    expect(tooMany(ms)).toEqual({ refused: 'TOO_MANY_ATTEMPTS', secondi });
  });
});

describe('tries of one network', () => {
  /** Tries that go on until they are let go. */
  function hanging(tries: Tries, count: number, guesser = HERS) {
    const { promise, resolve } = Promise.withResolvers<{ told: boolean }>();
    const begun: number[] = [];
    const results = Array.from({ length: count }, (_, n) =>
      tries.run(guesser, () => {
        begun.push(n);
        return promise;
      }),
    );
    return { begun, results, letGo: () => resolve({ told: true }) };
  }

  test('go one after the other, 200 of them wait, and the next is told to come later', async () => {
    const tries = triesWith();
    const { begun, results, letGo } = hanging(tries, 200);
    const other = await tries.run(from('192.0.2.2'), right);
    expect(other).toEqual({ told: true });
    expect(await tries.run(HERS, right)).toEqual({ refused: 'TOO_MANY_ATTEMPTS', secondi: 3 });
    expect(begun).toEqual([0]);
    letGo();
    expect(await Promise.all(results)).toEqual(results.map(() => ({ told: true })));
    expect(begun).toEqual(results.map((_, n) => n));
    expect(await tries.run(HERS, right)).toEqual({ told: true });
  });

  test('that has not failed wait for none of its neighbours, nor behind anybody', async () => {
    const two = triesWith(createSemaphore(2, 0));
    const { letGo, results } = hanging(two, 1, from('2001:db8:1:1::1'));
    expect(await two.run(from('2001:db8:1:2::1'), right)).toEqual({ told: true });
    letGo();
    await Promise.all(results);
    const one = createSemaphore(1, 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = one.run(() => promise);
    const fresh = triesWith(one).run(from('2001:db8:1:3::1'), right);
    resolve();
    await busy;
    expect(await fresh).toEqual({ told: true });
  });

  test('whose work fails keep nobody behind them', async () => {
    const tries = triesWith();
    const failing = tries.run(HERS, () => Promise.reject(new Error('no database')));
    const next = tries.run(HERS, right);
    await expect(failing).rejects.toThrow('no database');
    expect(await next).toEqual({ told: true });
  });

  test('that has failed are told to come later when the work is full', async () => {
    const full = createSemaphore(1, 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = full.run(() => promise);
    await wrong();
    clock.advance(5 * SECOND);
    const tries = createTries({
      db: database.db,
      now: clock.now,
      semaphore: full,
      spacing: async () => 0,
    });
    const patient = { ...LIMITS, network: { atOnce: 5, everyMs: 10 * SECOND } };
    const again = networkTries('code', Buffer.alloc(32, 1), '192.0.2.1', patient);
    expect(await tries.run(again, right)).toEqual({ refused: 'TOO_MANY_ATTEMPTS', secondi: 3 });
    resolve();
    await busy;
    expect(await tries.run(again, right)).toEqual({ told: true });
  });
});

describe('refusals without a look', () => {
  test('are mentioned once a minute for each network; the others are counted', () => {
    const tries = triesWith();
    const theirs = from('192.0.2.2');
    expect([HERS, HERS, theirs, HERS].map(tries.mention)).toEqual([true, false, true, false]);
    expect([tries.takeUnmentioned(), tries.takeUnmentioned()]).toEqual([2, 0]);
    clock.advance(MINUTE - 1);
    expect([tries.mention(HERS), tries.takeUnmentioned()]).toEqual([false, 1]);
    clock.advance(1);
    expect([tries.mention(HERS), tries.mention(theirs), tries.takeUnmentioned()]).toEqual([true, true, 0]);
  });

  test('are mentioned 60 times a minute in all', () => {
    const tries = triesWith();
    const mentioned = Array.from({ length: 70 }, (_, n) => tries.mention(from(`192.0.2.${n}`)));
    expect(mentioned.filter(Boolean)).toHaveLength(60);
    expect(tries.takeUnmentioned()).toBe(10);
  });
});
