import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FAILED_CODES, FAILED_SIGN_INS, REFUSAL_DELAY, REFUSED_ENTRIES } from '../../src/domain/limits.ts';
import { enter } from '../../src/server/features/access/enter.ts';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.ts';
import { listLogs } from '../../src/server/features/logs/logs.ts';
import {
  countRefusedTries,
  type RefusedEntry,
  recordRefusedEntry,
} from '../../src/server/features/logs/refused-tries.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import { networkOf, networksOf } from '../../src/server/http/address.ts';
import {
  createRateLimiter,
  createRefusalDelay,
  networkLimits,
  tooManyAttempts,
} from '../../src/server/limits/attempts.ts';
import { recordFailure } from '../../src/server/limits/failures.repo.ts';
import { createSemaphore, type Rank, SemaphoreFull } from '../../src/server/work/semaphore.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, sleepBy, type TestServer } from '../support/deps.ts';
import { flood, refusedRows, tableBytes } from '../support/flood.ts';
import { checkInvariants } from '../support/invariants.ts';
import { inParallel } from '../support/parallel.ts';
import { eventsOf, noticesOf, rowsOf } from '../support/product.ts';
import { useServer } from '../support/suites.ts';
import { attemptEntry, attemptOf, configure, enterOrThrow, makeCode } from '../support/visits.ts';

const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

const WRONG = { refused: 'CODE_INVALID' };

/** Returns the number of wrong-code refusals. */
const refusals = (results: object[]) =>
  results.filter((result) => JSON.stringify(result) === JSON.stringify(WRONG)).length;

/** Returns the earliest time of the last of `count` refusals, in ms after the first attempt. */
const paceOf = (count: number) =>
  Math.max(0, count - FAILED_CODES.network.atOnce) * FAILED_CODES.network.everyMs;

describe('wrong access codes', () => {
  const server = useServer(sqliteDatabase);

  const guess = (address: string) => attemptEntry(server, `ROM-${Math.random()}`, { address });
  const counters = () => server.deps.db.selectFrom('rate_limits').selectAll().execute();

  test('checks wrong codes of one network at once at first, then 30 a second, and refuses none', async () => {
    const { token } = await makeCode(server);
    const began = server.clock.now().getTime();
    const results = await Promise.all(Array.from({ length: 60 }, () => guess('192.0.2.1')));
    expect(refusals(results)).toBe(60);
    const elapsed = server.clock.now().getTime() - began;
    expect(elapsed).toBeGreaterThanOrEqual(paceOf(60));
    expect(elapsed).toBeLessThanOrEqual(paceOf(70));
    expect(await attemptEntry(server, token, { address: '192.0.2.1' })).toHaveProperty('secret');
  });

  test('limits the wrong codes of one network across three nodes', async () => {
    const { db, now } = server.deps;
    const nodes = Array.from({ length: 3 }, () => ({
      ...server.deps,
      rateLimiter: createRateLimiter({
        db,
        now,
        semaphore: createSemaphore(4),
        sleep: sleepBy(server.clock),
      }),
    }));
    const began = server.clock.now().getTime();
    const checked = await Promise.all(
      nodes.flatMap((node) =>
        Array.from({ length: 30 }, async () => {
          expect(await enter(node, attemptOf('ROM-SBAGLIATO', { address: '2001:db8::1' }))).toEqual(WRONG);
          return now().getTime() - began;
        }),
      ),
    );
    // The clock advances with each node's waits, so no moment may have more results than the limit allows.
    for (const [n, at] of checked.toSorted((a, b) => a - b).entries())
      expect(at).toBeGreaterThanOrEqual(paceOf(n + 1));
  });

  test('checks wrong codes of many IPv6 networks within a /48 at the rate of one', async () => {
    const { token } = await makeCode(server);
    const at = (n: number) => `2001:db8:1:${n.toString(16)}::1`;
    const began = server.clock.now().getTime();
    const elapsed = () => server.clock.now().getTime() - began;
    expect(refusals(await Promise.all(Array.from({ length: 60 }, (_, n) => guess(at(n)))))).toBe(60);
    const after = elapsed();
    expect(after).toBeGreaterThanOrEqual(paceOf(60));
    expect(await guess('2001:db8:2::1')).toEqual(WRONG);
    expect(elapsed()).toBe(after);
    expect(await attemptEntry(server, token, { address: at(99) })).toHaveProperty('secret');
  });

  test('does not count 100 correct codes from one address as failed attempts', async () => {
    const { token } = await makeCode(server, { max_accessi: 100 });
    await inParallel(
      Array.from({ length: 100 }, () => () => enterOrThrow(server, token, { address: '192.0.2.1' })),
      40,
    );
    const began = server.clock.now().getTime();
    for (let times = 0; times < 20; times += 1) expect(await guess('192.0.2.1')).toEqual(WRONG);
    expect(server.clock.now().getTime()).toBe(began);
  });

  test('stores no readable address and deletes expired counters', async () => {
    await guess('192.0.2.1');
    await guess('2001:db8::1');
    const storedRows = await counters();
    expect(storedRows).toHaveLength(3);
    expect(JSON.stringify(storedRows)).not.toMatch(/192\.0\.2\.1|2001/);
    server.clock.advance(10 * SECOND);
    await sweepSessions(server.deps);
    expect(await counters()).toEqual([]);
  });

  test('waits no longer than the longest pause after the clock was set back', async () => {
    for (const back of [30 * SECOND, DAY]) {
      for (let times = 0; times <= FAILED_CODES.network.atOnce; times += 1) await guess('192.0.2.1');
      server.clock.advance(-back);
      const began = server.clock.now().getTime();
      expect(await guess('192.0.2.1')).toEqual(WRONG);
      expect(server.clock.now().getTime() - began).toBeLessThanOrEqual(FAILED_CODES.network.everyMs);
    }
    server.clock.advance(-2 * DAY);
    await sweepSessions(server.deps);
    expect(await counters()).toEqual([]);
  });

  test('logs one unchecked or empty code a minute and counts the others', async () => {
    const { token } = await makeCode(server);
    const busy = {
      ...server.deps,
      rateLimiter: { ...server.deps.rateLimiter, run: async () => tooManyAttempts(3 * SECOND) },
    };
    for (let times = 0; times < 20; times += 1)
      expect(await enter(busy, attemptOf('ROM-SBAGLIATO', { address: '192.0.2.1' }))).toEqual(
        tooManyAttempts(3 * SECOND),
      );
    await attemptEntry(server, ' - ', { address: '192.0.2.9' });
    await attemptEntry(server, '', { address: '192.0.2.9' });
    const attempts = (await rowsOf(server, 'access_logs')).filter(({ success }) => !success);
    const reasons = attempts.map(({ error_message }) => error_message).toSorted();
    expect(reasons).toEqual(['Nessun codice scritto', 'Troppi tentativi']);
    expect(await eventsOf(server, 'access_denied')).toHaveLength(2);
    expect(await noticesOf(server)).toHaveLength(2);
    server.clock.advance(60 * SECOND);
    await attemptEntry(server, '', { address: '192.0.2.9' });
    expect(await server.deps.db.selectFrom('refused_tries_by_day').selectAll().execute()).toEqual([
      { giorno: '2027-02-14', tentativi: 20 },
    ]);
    expect(await attemptEntry(server, token, { address: '192.0.2.9' })).toHaveProperty('secret');
  });
});

describe('wrong passwords', () => {
  const server = useServer(sqliteDatabase);
  const now = () => server.clock.now();
  const node = () =>
    createRateLimiter({
      db: server.deps.db,
      now,
      semaphore: createSemaphore(2, { last: 10 }),
      spacing: async () => 0,
    });

  /** Attempts a wrong password on a node. Returns true if it was checked, not rate-limited. */
  async function wrong(on: ReturnType<typeof node>, address: string): Promise<boolean> {
    const limitKeys = networkLimits('sign-in', Buffer.alloc(32, 3), address, FAILED_SIGN_INS);
    const result = await on.run(limitKeys, async () => {
      const wait = await server.deps.inTransaction((tx) => recordFailure(tx, limitKeys, now));
      return wait > 0 ? tooManyAttempts(wait) : { told: true };
    });
    return 'told' in result;
  }

  test('checks five at once per network and sixty an hour, across restarts', async () => {
    const checked: number[] = [];
    for (let second = 0; second < 2 * 3_600; second += 20) {
      if (await wrong(node(), `2001:db8:1:2::${(second / 20).toString(16)}`)) checked.push(now().getTime());
      server.clock.advance(20 * SECOND);
    }
    for (const from of checked)
      expect(checked.filter((at) => at >= from && at < from + 3_600 * SECOND).length).toBeLessThanOrEqual(65);
    expect(checked.length).toBeGreaterThan(100);
    expect(await wrong(node(), '2001:db8:2::1')).toBe(true);
  });

  test('counts concurrent attempts one by one across nodes and stores no address', async () => {
    const nodes = [node(), node(), node()];
    for (const checked of [5, 1]) {
      const attempts = Array.from({ length: 60 }, (_, i) => wrong(nodes[i % 3] ?? node(), '10.9.9.9'));
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(checked);
      server.clock.advance(60 * SECOND);
    }
    const stored = JSON.stringify(await server.deps.db.selectFrom('rate_limits').selectAll().execute());
    expect(stored).toMatch(/try:sign-in:/);
    expect(stored).not.toContain('10.9.9');
  });
});

test('runs known devices first and failed clients last, with a limited queue per rank', async () => {
  const semaphore = createSemaphore(1, { next: 50, last: 2 });
  const order: string[] = [];
  const busy = Promise.withResolvers<void>();
  const work = (name: string, rank: Rank) =>
    semaphore.run(
      async () => {
        order.push(name);
        if (name === 'busy') await busy.promise;
      },
      { rank },
    );
  const all = [work('busy', 'next'), work('failed', 'last'), work('failed again', 'last')];
  await expect(work('one too many', 'last')).rejects.toBeInstanceOf(SemaphoreFull);
  for (let n = 0; n < 50; n += 1) all.push(work(`new ${n}`, 'next'));
  await expect(work('one too many', 'next')).rejects.toBeInstanceOf(SemaphoreFull);
  all.push(work('known', 'first'));
  busy.resolve();
  await Promise.all(all);
  expect(order.slice(0, 3)).toEqual(['busy', 'known', 'new 0']);
  expect(order.slice(-2)).toEqual(['failed', 'failed again']);
  expect(order).toHaveLength(54);
});

describe('refusal delay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([1, 2_000])('spaces out refusals over %s connections', async (connections) => {
    const spacing = createRefusalDelay();
    const end = performance.now() + 60_000;
    const holds: number[] = [];
    const clients = Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        holds.push(await spacing());
        if (connections === 1) await new Promise((wake) => setTimeout(wake, REFUSAL_DELAY.spacingMs));
      }
    });
    await vi.advanceTimersByTimeAsync(70_000);
    await Promise.all(clients);
    expect(Math.max(...holds)).toBeLessThanOrEqual(connections === 1 ? 0 : REFUSAL_DELAY.maxDelayMs);
    const turns = Math.max(
      60_000 / REFUSAL_DELAY.spacingMs,
      (connections * 60_000) / REFUSAL_DELAY.maxDelayMs,
    );
    expect(holds.length).toBeLessThanOrEqual(turns + 2 * connections);
  });

  test('holds back no more refusals than the maximum', async () => {
    const spacing = createRefusalDelay();
    let left = 0;
    const all = Array.from({ length: REFUSAL_DELAY.maxHeld + 100 }, async () => {
      await spacing();
      left += 1;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toBe(100);
    await vi.advanceTimersByTimeAsync(REFUSAL_DELAY.maxDelayMs);
    await Promise.all(all);
    expect(left).toBe(REFUSAL_DELAY.maxHeld + 100);
  });
});

test('groups IPv4 by address and IPv6 by /64 and /48', () => {
  const networks = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::ffff:10.20.255.254': '10.20.255.254',
    '::1:ffff:192.0.2.1': '0:0:0:0::/64',
    '1::2:3:4:5:6': '1:0:0:2::/64',
    '0:0:0:0:0:ffff:192.0.2.1': '192.0.2.1',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '1:2:3:4:5:6:192.0.2.33': '1:2:3:4::/64',
    unknown: 'unknown',
    '': '',
  };
  const found = Object.keys(networks).map((address) => [address, networkOf(address)]);
  expect(Object.fromEntries(found)).toEqual(networks);
  expect(networksOf('2001:db8:1:abff::1')).toEqual([
    { reach: 'prefix48', name: '2001:db8:1::/48' },
    { reach: 'network', name: '2001:db8:1:abff::/64' },
  ]);
  expect(networksOf('::ffff:192.0.2.1')).toEqual([{ reach: 'network', name: '192.0.2.1' }]);
});

const MB = 1024 ** 2;

const SENTENCE = 'Codice già utilizzato il numero massimo di volte';

/** A refused entry with values of maximum length. */
const longest = (token_id: string | null): RefusedEntry => ({
  token_id,
  token_value: 'W'.repeat(5_000),
  device_id: 'd'.repeat(100),
  user_agent: 'è'.repeat(500),
  error_message: SENTENCE,
  reason: 'too_many_attempts',
  notification: { type: 'access', success: false, token_value: 'W'.repeat(64), error_message: SENTENCE },
});

const record = ({ deps }: TestServer, count: number, token_id: string | null) =>
  deps.inTransaction(async (tx) => {
    for (let n = 0; n < count; n += 1) await recordRefusedEntry(tx, longest(token_id), deps.now());
  });

const COPIED = {
  access_logs: ['token_id', 'token_value', 'success', 'error_message', 'created_at'],
  event_logs:
    'event_type token_id token_value device_id user_agent success error_message metadata created_at'.split(
      ' ',
    ),
  notifications: ['type', 'priority', 'payload', 'attempts', 'next_attempt_at', 'created_at'],
};

/** Rows copied by one statement. Copying all at once would exceed the statement timeout on a slow machine. */
const AT_ONCE = 1_000;

/** Records one attempt and copies its rows until there are `count`. */
async function recordMany(server: TestServer, count: number, token_id: string | null): Promise<void> {
  const { db } = server.deps;
  const at = server.clock.now().toISOString();
  await record(server, 1, token_id);
  for (const [table, names] of Object.entries(COPIED)) {
    const columns = sql.join(names.map((name) => sql.ref(name)));
    const own = table === 'notifications' ? sql`payload like '%"success":false%'` : sql`success = false`;
    for (let from = 2; from <= count; from += AT_ONCE)
      await sql`insert into ${sql.table(table)} (id, ${columns})
        with recursive n(i) as (
          select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(Math.min(count, from + AT_ONCE - 1))}
        )
        select ${at} || '-' || i, ${columns} from n,
          (select * from ${sql.table(table)} where created_at = ${at} and ${own} order by id limit 1) as one`.execute(
        db,
      );
  }
}

test('stores at most 20,000 rows and 20 MB of refused attempts, counts older ones by day, and keeps those of existing codes', async () => {
  const server = await openTestServer(sqliteDatabase);
  const { db } = server.deps;
  await configure(server);
  const { id, token } = await makeCode(server);
  await enterOrThrow(server, token);
  await record(server, 100, id);
  server.clock.advance(DAY);
  await recordMany(server, REFUSED_ENTRIES.guesses + 300, null);
  server.clock.advance(DAY);
  await record(server, 200, null);
  expect(await refusedRows(db)).toBeLessThanOrEqual(20_000);
  await countRefusedTries(server.deps);
  const storedRows = await db.selectFrom('access_logs').select(['token_id', 'success']).execute();
  expect(storedRows.filter(({ success }) => success)).toHaveLength(1);
  expect(storedRows.filter((row) => !row.success && row.token_id === id)).toHaveLength(100);
  expect(storedRows.filter((row) => row.token_id === null)).toHaveLength(REFUSED_ENTRIES.guesses);
  const { accessi_per_giorno } = await readDashboard(server.ctx);
  expect(accessi_per_giorno.slice(-3)).toEqual([
    { giorno: '2027-02-14', riusciti: 1, rifiutati: 100 },
    { giorno: '2027-02-15', riusciti: 0, rifiutati: REFUSED_ENTRIES.guesses + 300 },
    { giorno: '2027-02-16', riusciti: 0, rifiutati: 200 },
  ]);
  const logs = await listLogs(server.ctx, { event_type: 'access_denied' });
  expect(logs).toMatchObject({ solo_contati: 500, totale: 100 + REFUSED_ENTRIES.guesses });
  server.clock.advance(DAY);
  await recordMany(server, REFUSED_ENTRIES.existingCodes, id);
  // Only the counters are missing from the full size; the flood test below shows that they are small.
  expect(await tableBytes(server.database)).toBeLessThan(18 * MB);
  await server.close();
});

test('refuses no correct code during five minutes of one wrong code a second from 500 networks', async () => {
  const server = await openTestServer(sqliteDatabase);
  expect(await flood(server, 300)).toBe(300);
  expect(await refusedRows(server.deps.db)).toBeLessThan(20_000);
  expect(await checkInvariants(server.deps.db, server.clock.now())).toEqual([]);
  await server.close();
});
