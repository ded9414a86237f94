import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FAILED_CODES, FAILED_SIGN_INS, MAX_WAITING_ATTEMPTS } from '../../src/domain/limits.ts';
import {
  type Connection,
  createRateLimiter,
  networkLimits,
  type RateLimiter,
  signInLimitKeys,
  tooManyAttempts,
} from '../../src/server/limits/attempts.ts';
import { type LimitKeys, recordFailure } from '../../src/server/limits/failures.repo.ts';
import { createSemaphore } from '../../src/server/work/semaphore.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { createClock, sleepBy, type TestClock } from '../support/deps.ts';

/** The rate limiter's queue in one process. tests/api/access-limits.test.ts covers the number of attempts. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SECRET = Buffer.alloc(32, 1);
const from = (address: string) => networkLimits('code', SECRET, address, FAILED_CODES);
const signIn = (address: string) => networkLimits('sign-in', SECRET, address, FAILED_SIGN_INS);
const TOLD = { told: true };
const wait = (secondi: number) => ({ refused: 'TOO_MANY_ATTEMPTS', secondi });
const BUSY = wait(3);

let database: TestDatabase;
let clock: TestClock;
let limiter: RateLimiter;
let delayMs: number;
beforeEach(async () => {
  database = await sqliteDatabase();
  clock = createClock();
  delayMs = 0;
  const semaphore = createSemaphore(24);
  const limits = { semaphore, spacing: async () => delayMs, sleep: sleepBy(clock) };
  limiter = createRateLimiter({ db: database.db, now: clock.now, ...limits });
});
afterEach(() => database.drop());

const right = async () => TOLD;
const wrong = (keys: LimitKeys) => async () => {
  const ms = await database.inTransaction((tx) => recordFailure(tx, keys, clock.now));
  return ms > 0 ? tooManyAttempts(ms) : { told: false };
};
const newConnection = () => Object.assign(new EventEmitter(), { destroyed: false });

/** Starts attempts that wait until they are released. */
function hanging(count: number, keys: LimitKeys, connections: Connection[] = []) {
  const { promise, resolve } = Promise.withResolvers<typeof TOLD>();
  const begun: number[] = [];
  const work = (n: number) => () => {
    begun.push(n);
    return promise;
  };
  const results = Array.from({ length: count }, (_, n) => limiter.run(keys, work(n), connections[n]));
  return { begun, results, release: () => resolve(TOLD) };
}

it('checks the right code within ten seconds next to 200 connections of its own address', async () => {
  const ownKeys = from('192.0.2.1');
  const began = clock.now().getTime();
  let guessing = true;
  const attackers = Array.from({ length: 200 }, async () => {
    while (guessing) expect(await limiter.run(ownKeys, wrong(ownKeys))).toEqual({ told: false });
  });
  const judged = async () => {
    guessing = false;
    return clock.now().getTime() - began;
  };
  expect(await limiter.run(ownKeys, judged)).toBeLessThanOrEqual(10 * SECOND);
  await Promise.all(attackers);
});

describe('queue', () => {
  const ownKeys = signIn('192.0.2.1');

  it('runs attempts in order of arrival, one at a time, and refuses those beyond its limit', async () => {
    const { begun, results, release } = hanging(1 + MAX_WAITING_ATTEMPTS, ownKeys);
    expect(await limiter.run(signIn('192.0.2.2'), right)).toEqual(TOLD);
    expect(await limiter.run(ownKeys, right)).toEqual(BUSY);
    expect(begun).toEqual([0]);
    release();
    expect(await Promise.all(results)).toEqual(results.map(() => TOLD));
    expect(begun).toEqual(results.map((_, n) => n));
    const failing = limiter.run(ownKeys, () => Promise.reject(new Error('no database')));
    const next = limiter.run(ownKeys, right);
    await expect(failing).rejects.toThrow('no database');
    expect(await next).toEqual(TOLD);
  });

  it('takes one attempt per connection; a closed connection leaves its place to the next', async () => {
    const connections = Array.from({ length: 1 + MAX_WAITING_ATTEMPTS }, newConnection);
    const { begun, results, release } = hanging(connections.length, ownKeys, connections);
    expect(await limiter.run(ownKeys, right, connections[0])).toEqual(BUSY);
    for (const connection of connections.slice(1)) connection.emit('close');
    expect(await Promise.all(results.slice(1))).toEqual(results.slice(1).map(() => BUSY));
    const next = limiter.run(ownKeys, right);
    release();
    expect(await next).toEqual(TOLD);
    expect(begun).toEqual([0]);
    await results[0];
    expect(await limiter.run(ownKeys, right, connections[0])).toEqual(TOLD);
  });

  it('runs a device that has signed in before first, even after a failure', async () => {
    const device = signInLimitKeys(SECRET, '192.0.2.1', 'its id');
    await limiter.run(device, wrong(device));
    const semaphore = createSemaphore(1);
    const run = vi.spyOn(semaphore, 'run');
    const one = createRateLimiter({ db: database.db, now: clock.now, semaphore, spacing: async () => 0 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const order: string[] = [];
    const guess = (keys: LimitKeys, name: string) => one.run(keys, async () => void order.push(name));
    const all = [
      semaphore.run(() => promise),
      guess(signIn('192.0.2.2'), 'stranger'),
      guess(device, 'device'),
    ];
    await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(3));
    resolve();
    await Promise.all(all);
    expect(order).toEqual(['device', 'stranger']);
  });

  it('alternates between the addresses of a /48', async () => {
    const order: string[] = [];
    const guess = async (address: string, name: string) => {
      await limiter.run(signIn(address), right);
      order.push(name);
    };
    const others = Array.from({ length: 20 }, (_, n) => guess('2001:db8:1:1::1', `guess ${n}`));
    await Promise.all([...others, guess('2001:db8:1:2::1', 'neighbour')]);
    expect(order.slice(0, 3)).toEqual(['guess 0', 'neighbour', 'guess 1']);
  });
});

describe('password of a network with failures', () => {
  const keys = signIn('192.0.2.1');
  beforeEach(async () => {
    for (let guess = 0; guess < 5; guess += 1) await limiter.run(keys, wrong(keys));
  });

  it('is refused for the rest of the pause, in whole seconds, and checked if only one is left', async () => {
    for (const [ms, secondi] of [
      [0, 60],
      [9_500, 51],
      [60 * SECOND, 1],
    ] as const) {
      delayMs = ms;
      expect(await limiter.run(keys, right)).toEqual(wait(secondi));
    }
    delayMs = 0;
    clock.advance(MINUTE - SECOND - 1);
    expect(await limiter.run(keys, right)).toEqual(wait(2));
    clock.advance(1);
    expect(await limiter.run(keys, right)).toEqual(TOLD);
  });

  it('is not refused to a neighbour in the /48 without failures', async () => {
    const at = (n: number) => signIn(`2001:db8:1:${n}::1`);
    for (let n = 0; n < FAILED_SIGN_INS.prefix48.atOnce; n += 1)
      expect(await limiter.run(at(n), wrong(at(n)))).toEqual({ told: false });
    expect(await limiter.run(at(0), right)).toEqual(wait(12));
    expect(await limiter.run(at(99), right)).toEqual(TOLD);
  });
});

it('logs refusals once a minute per network, 60 in all, and counts the others', () => {
  const [ownKeys, others] = [from('192.0.2.1'), from('192.0.2.2')];
  expect([ownKeys, ownKeys, others, ownKeys].map(limiter.shouldLog)).toEqual([true, false, true, false]);
  expect([limiter.takeUnlogged(), limiter.takeUnlogged()]).toEqual([2, 0]);
  clock.advance(MINUTE - 1);
  expect([limiter.shouldLog(ownKeys), limiter.takeUnlogged()]).toEqual([false, 1]);
  clock.advance(1);
  expect([limiter.shouldLog(ownKeys), limiter.shouldLog(others), limiter.takeUnlogged()]).toEqual([
    true,
    true,
    0,
  ]);
  clock.advance(MINUTE);
  const mentioned = Array.from({ length: 70 }, (_, n) => limiter.shouldLog(from(`192.0.2.${n}`)));
  expect([mentioned.filter(Boolean).length, limiter.takeUnlogged()]).toEqual([60, 10]);
});
