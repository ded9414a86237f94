import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createSignInLimits,
  networkOf,
  restAfter,
  type SignInLimits,
} from '../../src/server/auth/sign-in-limits.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const SECRET = Buffer.alloc(32, 3);

describe.each(eachDatabase)('limits of sign-in on %s', { timeout: 60_000 }, (_name, open) => {
  let database: TestDatabase;
  let now: number;
  let limits: SignInLimits;
  const node = () => createSignInLimits(database.inTransaction, SECRET, () => new Date(now));

  beforeEach(async () => {
    database = await open();
    now = Date.parse('2027-03-28T00:30:00.000Z');
    limits = node();
  });
  afterEach(() => database.drop());

  test('an account is tried at most 30 times an hour, from however many addresses', async () => {
    const tried: number[] = [];
    for (let second = 0; second < 4 * 3_600; second += 15) {
      now += 15 * SECOND;
      const taken = await limits.take({
        address: `198.51.${second % 250}.${second % 199}`,
        account: 'email:a',
      });
      if (taken.ok) tried.push(now);
      else expect(taken.secondi).toBeLessThanOrEqual(180);
    }
    for (const from of tried) {
      expect(tried.filter((at) => at >= from && at < from + HOUR).length).toBeLessThanOrEqual(30);
    }
    expect(tried.length).toBeGreaterThan(40);
  });

  test('an address has 20 tries an hour, whatever the account, across restarts', async () => {
    for (let i = 0; i < 20; i += 1) {
      expect(await node().take({ address: `2001:db8:1:2::${i}`, account: `email:${i}` })).toEqual({
        ok: true,
      });
    }
    now += 20 * 60 * SECOND;
    expect(await node().take({ address: '2001:db8:1:2::ffff', account: 'email:x' })).toEqual({
      ok: false,
      secondi: 2_400,
    });
    expect(await limits.take({ address: '2001:db8:1:3::1', account: 'email:x' })).toEqual({ ok: true });
    now += 40 * 60 * SECOND;
    expect(await limits.take({ address: '2001:db8:1:2::1', account: 'email:y' })).toEqual({ ok: true });
  });

  test('tries that come together are counted one by one, by all nodes', async () => {
    const nodes = [limits, node(), node()];
    const sameAccount = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        nodes[i % 3]?.take({ address: `10.0.0.${i}`, account: 'email:a' }),
      ),
    );
    expect(sameAccount.filter((taken) => taken?.ok)).toHaveLength(3);
    const sameAddress = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        nodes[i % 3]?.take({ address: '10.9.9.9', account: `email:${i}` }),
      ),
    );
    expect(sameAddress.filter((taken) => taken?.ok)).toHaveLength(20);
  });

  test('a right password wipes the account’s slate, and what was no guess is given back', async () => {
    const attempt = { address: '10.0.0.1', account: 'email:a' };
    for (let i = 0; i < 3; i += 1) await limits.take(attempt);
    expect(await limits.take(attempt)).toMatchObject({ ok: false });
    now += SECOND;
    expect(await limits.take(attempt)).toEqual({ ok: true });
    await limits.succeed(attempt);
    for (let i = 0; i < 3; i += 1) expect(await limits.take(attempt)).toEqual({ ok: true });
    const other = { address: '10.0.0.2', account: 'email:b' };
    for (let i = 0; i < 50; i += 1) {
      expect(await limits.take(other)).toEqual({ ok: true });
      await limits.giveBack(other);
    }
  });

  test('neither addresses nor e-mails are readable in the database', async () => {
    await limits.take({ address: '203.0.113.77', account: 'email:chi.prepara@example.org' });
    const stored = JSON.stringify(await database.db.selectFrom('rate_limits').selectAll().execute());
    expect(stored).not.toMatch(/203\.0\.113|prepara/);
  });
});

test('the rest doubles from 1 second to 3 minutes', () => {
  expect([0, 1, 2, 3, 4, 5, 10, 11, 1_000].map(restAfter)).toEqual(
    [0, 0, 0, 1, 2, 4, 128, 180, 180].map((s) => s * SECOND),
  );
});

test('an IPv6 network is its first 64 bits, however it is written', () => {
  const same = ['2001:db8:0:7::1', '2001:0db8:0000:0007:ffff:ffff:ffff:ffff', '2001:DB8::7:1:2:3:4'];
  expect(new Set(same.map(networkOf))).toEqual(new Set(['2001:db8:0:7']));
  expect(networkOf('::1')).toBe('0:0:0:0');
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
});
