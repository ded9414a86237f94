import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FAILED_SIGN_INS, REFUSALS } from '../../src/domain/limits.ts';
import { createTries, networkTries, tooMany } from '../../src/server/limits/attempts.ts';
import { countFailure } from '../../src/server/limits/failures.repo.ts';
import { createSemaphore, SemaphoreFull } from '../../src/server/limits/semaphore.ts';
import { createSpacing } from '../../src/server/limits/spacing.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const SECRET = Buffer.alloc(32, 3);

describe('limits of sign-in', () => {
  let database: TestDatabase;
  let time: number;
  const now = () => new Date(time);
  const node = () =>
    createTries({ db: database.db, now, semaphore: createSemaphore(2, 10), spacing: async () => 0 });

  beforeEach(async () => {
    database = await sqliteDatabase();
    time = Date.parse('2027-03-28T00:30:00.000Z');
  });
  afterEach(() => database.drop());

  /** A wrong password, tried on a node: was it told? */
  async function wrong(on: ReturnType<typeof node>, address: string): Promise<boolean> {
    const guesser = networkTries('sign-in', SECRET, address, FAILED_SIGN_INS);
    const result = await on.run(guesser, async () => {
      const wait = await database.inTransaction((tx) => countFailure(tx, guesser, now));
      return wait > 0 ? tooMany(wait) : { told: true };
    });
    return 'told' in result;
  }

  test('a network has five wrong passwords at once and sixty an hour, across restarts', async () => {
    const told: number[] = [];
    for (let second = 0; second < 2 * 3_600; second += 20) {
      if (await wrong(node(), `2001:db8:1:2::${(second / 20).toString(16)}`)) told.push(time);
      time += 20 * SECOND;
    }
    for (const from of told)
      expect(told.filter((at) => at >= from && at < from + HOUR).length).toBeLessThanOrEqual(65);
    expect(told.length).toBeGreaterThan(100);
    expect(await wrong(node(), '2001:db8:2::1')).toBe(true);
  });

  test('tries that come together are counted one by one, by all nodes', async () => {
    const nodes = [node(), node(), node()];
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, i) => wrong(nodes[i % 3] ?? node(), '10.9.9.9')),
    );
    expect(results.filter(Boolean)).toHaveLength(5);
    time += 60 * SECOND;
    const later = await Promise.all(
      Array.from({ length: 60 }, (_, i) => wrong(nodes[i % 3] ?? node(), '10.9.9.9')),
    );
    expect(later.filter(Boolean)).toHaveLength(1);
  });

  test('addresses are not readable in the database', async () => {
    await wrong(node(), '203.0.113.77');
    const stored = JSON.stringify(await database.db.selectFrom('rate_limits').selectAll().execute());
    expect(stored).toMatch(/try:sign-in:/);
    expect(stored).not.toContain('203.0.113');
  });
});

test('whoever has failed waits behind the others, and only so many of them wait', async () => {
  const semaphore = createSemaphore(1, 2);
  const order: string[] = [];
  const busy = Promise.withResolvers<void>();
  const work = (name: string, behind: boolean) =>
    semaphore.run(
      async () => {
        order.push(name);
        if (name === 'first') await busy.promise;
      },
      { behind },
    );
  const first = work('first', false);
  const behind = [work('failed', true), work('failed again', true)];
  await expect(work('one too many', true)).rejects.toBeInstanceOf(SemaphoreFull);
  const inFront = Array.from({ length: 50 }, (_, n) => work(`new ${n}`, false));
  busy.resolve();
  await Promise.all([first, ...behind, ...inFront]);
  expect(order.slice(0, 2)).toEqual(['first', 'new 0']);
  expect(order.slice(-2)).toEqual(['failed', 'failed again']);
  expect(order).toHaveLength(53);
});

describe('refusals of who asks again at once', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const simulated = () =>
    createSpacing({
      time: () => performance.now(),
      sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
    });

  test.each([1, 50, 2_000])('leave in turn, over %s connections', async (connections) => {
    const spacing = simulated();
    const end = performance.now() + 60_000;
    const holds: number[] = [];
    const clients = Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        holds.push(await spacing());
        if (connections === 1) await new Promise((wake) => setTimeout(wake, REFUSALS.apartMs));
      }
    });
    await vi.advanceTimersByTimeAsync(70_000);
    await Promise.all(clients);
    expect(Math.max(...holds)).toBeLessThanOrEqual(connections === 1 ? 0 : REFUSALS.heldMs);
    const turns = Math.max(60_000 / REFUSALS.apartMs, (connections * 60_000) / REFUSALS.heldMs);
    expect(holds.length).toBeLessThanOrEqual(turns + 2 * connections);
  });

  test('are held no more than there is room for', async () => {
    const spacing = simulated();
    let left = 0;
    const all = Array.from({ length: REFUSALS.held + 100 }, async () => {
      await spacing();
      left += 1;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toBe(100);
    await vi.advanceTimersByTimeAsync(REFUSALS.heldMs);
    await Promise.all(all);
    expect(left).toBe(REFUSALS.held + 100);
  });
});
