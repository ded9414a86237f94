import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FAILED_CODES, FAILED_SIGN_INS, REFUSAL_DELAY, REFUSED_ENTRIES } from '../../src/domain/limits.ts';
import { enter } from '../../src/server/features/access/access.service.ts';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.service.ts';
import { listLogs } from '../../src/server/features/logs/logs.service.ts';
import {
  type RefusedEntry,
  recordRefusedEntry,
} from '../../src/server/features/logs/refused-tries.service.ts';
import { countRefusedTries } from '../../src/server/features/logs/retention.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { networkOf, networksOf } from '../../src/server/http/network.ts';
import { createRateLimiter, networkLimits, tooManyAttempts } from '../../src/server/limits/attempts.ts';
import { recordFailure } from '../../src/server/limits/failures.repo.ts';
import { createSemaphore, type Rank, SemaphoreFull } from '../../src/server/limits/semaphore.ts';
import { createRefusalDelay } from '../../src/server/limits/spacing.ts';
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

/** How many were looked at and refused. */
const refusals = (results: object[]) =>
  results.filter((result) => JSON.stringify(result) === JSON.stringify(WRONG)).length;

/** When the last of so many wrong codes may be told, in ms after the first. */
const paceOf = (count: number) =>
  Math.max(0, count - FAILED_CODES.network.atOnce) * FAILED_CODES.network.everyMs;

describe('wrong codes', () => {
  const server = useServer(sqliteDatabase);

  const guess = (address: string) => attemptEntry(server, `ROM-${Math.random()}`, { address });
  const counters = () => server.deps.db.selectFrom('rate_limits').selectAll().execute();

  test('wrong codes from one network are judged at once at first, then 30 a second; none is refused', async () => {
    const { token } = await makeCode(server);
    const began = server.clock.now().getTime();
    const results = await Promise.all(Array.from({ length: 60 }, () => guess('192.0.2.1')));
    expect(refusals(results)).toBe(60);
    const elapsed = server.clock.now().getTime() - began;
    expect(elapsed).toBeGreaterThanOrEqual(paceOf(60));
    expect(elapsed).toBeLessThanOrEqual(paceOf(70));
    expect(await attemptEntry(server, token, { address: '192.0.2.1' })).toHaveProperty('secret');
  });

  test('wrong codes of one network never exceed the limit, on three nodes at once', async () => {
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
    const told = await Promise.all(
      nodes.flatMap((node) =>
        Array.from({ length: 30 }, async () => {
          expect(await enter(node, attemptOf('ROM-SBAGLIATO', { address: '2001:db8::1' }))).toEqual(WRONG);
          return now().getTime() - began;
        }),
      ),
    );
    // The clock goes on with each node's wait: what was told by a moment can't be more than it allows.
    for (const [n, at] of told.toSorted((a, b) => a - b).entries())
      expect(at).toBeGreaterThanOrEqual(paceOf(n + 1));
  });

  test('wrong codes of many IPv6 networks within a /48 are judged at the pace of one', async () => {
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

  test('right codes are no tries: a hundred from one address at once', async () => {
    const { token } = await makeCode(server, { max_accessi: 100 });
    await inParallel(
      Array.from({ length: 100 }, () => () => enterOrThrow(server, token, { address: '192.0.2.1' })),
      40,
    );
    const began = server.clock.now().getTime();
    for (let times = 0; times < 20; times += 1) expect(await guess('192.0.2.1')).toEqual(WRONG);
    expect(server.clock.now().getTime()).toBe(began);
  });

  test('addresses are not readable in the database, and counters go when all is forgiven', async () => {
    await guess('192.0.2.1');
    await guess('2001:db8::1');
    const kept = await counters();
    expect(kept).toHaveLength(3);
    expect(JSON.stringify(kept)).not.toMatch(/192\.0\.2\.1|2001/);
    server.clock.advance(10 * SECOND);
    await sweepSessions(server.deps);
    expect(await counters()).toEqual([]);
  });

  test('a clock put back lets nobody wait longer than the longest pause', async () => {
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

  test('codes that are not looked at, and empty ones, leave a line a minute; the others are counted', async () => {
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
    const tries = (await rowsOf(server, 'access_logs')).filter(({ success }) => !success);
    const reasons = tries.map(({ error_message }) => error_message).toSorted();
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

  /** A wrong password, tried on a node: was it told? */
  async function wrong(on: ReturnType<typeof node>, address: string): Promise<boolean> {
    const guesser = networkLimits('sign-in', Buffer.alloc(32, 3), address, FAILED_SIGN_INS);
    const result = await on.run(guesser, async () => {
      const wait = await server.deps.inTransaction((tx) => recordFailure(tx, guesser, now));
      return wait > 0 ? tooManyAttempts(wait) : { told: true };
    });
    return 'told' in result;
  }

  test('are five at once of a network and sixty an hour, across restarts', async () => {
    const told: number[] = [];
    for (let second = 0; second < 2 * 3_600; second += 20) {
      if (await wrong(node(), `2001:db8:1:2::${(second / 20).toString(16)}`)) told.push(now().getTime());
      server.clock.advance(20 * SECOND);
    }
    for (const from of told)
      expect(told.filter((at) => at >= from && at < from + 3_600 * SECOND).length).toBeLessThanOrEqual(65);
    expect(told.length).toBeGreaterThan(100);
    expect(await wrong(node(), '2001:db8:2::1')).toBe(true);
  });

  test('that come together are counted one by one, by all nodes, and name no address in the database', async () => {
    const nodes = [node(), node(), node()];
    for (const told of [5, 1]) {
      const tries = Array.from({ length: 60 }, (_, i) => wrong(nodes[i % 3] ?? node(), '10.9.9.9'));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(told);
      server.clock.advance(60 * SECOND);
    }
    const stored = JSON.stringify(await server.deps.db.selectFrom('rate_limits').selectAll().execute());
    expect(stored).toMatch(/try:sign-in:/);
    expect(stored).not.toContain('10.9.9');
  });
});

test('a known device goes first, whoever has failed last, and only so many of each rank wait', async () => {
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

describe('refusals of who asks again at once', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const simulated = () =>
    createRefusalDelay({
      time: () => performance.now(),
      sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
    });

  test.each([1, 2_000])('leave in turn, over %s connections', async (connections) => {
    const spacing = simulated();
    const end = performance.now() + 60_000;
    const holds: number[] = [];
    const clients = Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        holds.push(await spacing());
        if (connections === 1) await new Promise((wake) => setTimeout(wake, REFUSAL_DELAY.apartMs));
      }
    });
    await vi.advanceTimersByTimeAsync(70_000);
    await Promise.all(clients);
    expect(Math.max(...holds)).toBeLessThanOrEqual(connections === 1 ? 0 : REFUSAL_DELAY.heldMs);
    const turns = Math.max(60_000 / REFUSAL_DELAY.apartMs, (connections * 60_000) / REFUSAL_DELAY.heldMs);
    expect(holds.length).toBeLessThanOrEqual(turns + 2 * connections);
  });

  test('are held no more than there is room for', async () => {
    const spacing = simulated();
    let left = 0;
    const all = Array.from({ length: REFUSAL_DELAY.held + 100 }, async () => {
      await spacing();
      left += 1;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toBe(100);
    await vi.advanceTimersByTimeAsync(REFUSAL_DELAY.heldMs);
    await Promise.all(all);
    expect(left).toBe(REFUSAL_DELAY.held + 100);
  });
});

test('an IPv4 address is a network of its own, an IPv6 one lies in a 64 and a 48', () => {
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

/** As long as one can be. */
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

/** Rows that one statement copies: for all of them a slow machine takes longer than a statement may. */
const AT_ONCE = 1_000;

/** One try is recorded, and its rows copied: so many are there then. */
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

test('refused tries keep 20,000 rows and 20 MB at most; older ones are counted by the day, those of codes that exist stay', async () => {
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
  const kept = await db.selectFrom('access_logs').select(['token_id', 'success']).execute();
  expect(kept.filter(({ success }) => success)).toHaveLength(1);
  expect(kept.filter((row) => !row.success && row.token_id === id)).toHaveLength(100);
  expect(kept.filter((row) => row.token_id === null)).toHaveLength(REFUSED_ENTRIES.guesses);
  const { accessi_per_giorno } = await readDashboard(server.deps, server.actor);
  expect(accessi_per_giorno.slice(-3)).toEqual([
    { giorno: '2027-02-14', riusciti: 1, rifiutati: 100 },
    { giorno: '2027-02-15', riusciti: 0, rifiutati: REFUSED_ENTRIES.guesses + 300 },
    { giorno: '2027-02-16', riusciti: 0, rifiutati: 200 },
  ]);
  const logs = await listLogs(server.deps, server.actor, { event_type: 'access_denied' });
  expect(logs).toMatchObject({ solo_contati: 500, totale: 100 + REFUSED_ENTRIES.guesses });
  server.clock.advance(DAY);
  await recordMany(server, REFUSED_ENTRIES.ofCodes, id);
  // The room is full, but for the counters: these are small, see the flood.
  expect(await tableBytes(server.database)).toBeLessThan(18 * MB);
  await server.close();
});

test('one wrong code a second from 500 networks, for five minutes, refuses no right one', async () => {
  const server = await openTestServer(sqliteDatabase);
  expect(await flood(server, 300)).toBe(300);
  expect(await refusedRows(server.deps.db)).toBeLessThan(20_000);
  expect(await checkInvariants(server.deps.db, server.clock.now())).toEqual([]);
  await server.close();
});
