import { describe, expect, onTestFinished, test, vi } from 'vitest';
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
import { openTestServer } from '../support/deps.ts';
import { eventsOf, noticesOf, rowsOf } from '../support/product.ts';
import { useServer } from '../support/suites.ts';
import { attemptEntry, attemptOf, configure, enterOrThrow, makeCode } from '../support/visits.ts';

const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

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
    expect(results).toEqual(Array.from({ length: 60 }, () => ({ refused: 'CODE_INVALID' })));
    const elapsed = server.clock.now().getTime() - began;
    expect(elapsed).toBeGreaterThanOrEqual(paceOf(60));
    expect(elapsed).toBeLessThanOrEqual(paceOf(70));
    expect(await attemptEntry(server, token, { address: '192.0.2.1' })).toHaveProperty('secret');
  });

  test('does not count correct codes as failed attempts', async () => {
    const { token } = await makeCode(server, { max_accessi: 40 });
    for (let times = 0; times < 40; times += 1) await enterOrThrow(server, token, { address: '192.0.2.1' });
    expect(await counters()).toEqual([]);
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
    // A clock that is set back leaves counters far ahead.
    await guess('192.0.2.1');
    server.clock.advance(-2 * DAY);
    await sweepSessions(server.deps);
    expect(await counters()).toEqual([]);
  });

  test('logs one unchecked or empty code a minute and counts the others', async () => {
    const { token } = await makeCode(server);
    const tooMany = tooManyAttempts(3 * SECOND);
    const busy = {
      ...server.deps,
      rateLimiter: { ...server.deps.rateLimiter, run: async () => tooMany },
    };
    for (let times = 0; times < 20; times += 1)
      expect(await enter(busy, attemptOf('ROM-SBAGLIATO', { address: '192.0.2.1' }))).toEqual(tooMany);
    for (const empty of ['', '   ', '—!?', '🎁', 'д'])
      expect(await attemptEntry(server, empty, { address: '192.0.2.9' })).toEqual({ refused: 'CODE_EMPTY' });
    const attempts = (await rowsOf(server, 'access_logs')).filter(({ success }) => !success);
    const reasons = attempts.map(({ error_message }) => error_message).toSorted();
    expect(reasons).toEqual(['Nessun codice scritto', 'Troppi tentativi']);
    expect(await eventsOf(server, 'access_denied')).toHaveLength(2);
    expect(await noticesOf(server)).toHaveLength(2);
    server.clock.advance(60 * SECOND);
    await attemptEntry(server, '', { address: '192.0.2.9' });
    expect(await server.deps.db.selectFrom('refused_tries_by_day').selectAll().execute()).toEqual([
      { giorno: '2027-02-14', tentativi: 23 },
    ]);
    expect(await attemptEntry(server, token, { address: '192.0.2.9' })).toHaveProperty('secret');
  });
});

describe('wrong passwords', () => {
  const server = useServer(sqliteDatabase);

  test('are counted one by one across nodes, five at once and one a minute, without an address', async () => {
    const { db, now, inTransaction } = server.deps;
    const nodes = [1, 2, 3].map(() =>
      createRateLimiter({ db, now, semaphore: createSemaphore(2, { last: 10 }), spacing: async () => 0 }),
    );
    const limitKeys = networkLimits('sign-in', Buffer.alloc(32, 3), '10.9.9.9', FAILED_SIGN_INS);
    const work = async () => {
      const wait = await inTransaction((tx) => recordFailure(tx, limitKeys, now));
      return wait > 0 ? tooManyAttempts(wait) : { told: true };
    };
    for (const checked of [5, 1]) {
      const attempts = nodes.flatMap((node) => Array.from({ length: 20 }, () => node.run(limitKeys, work)));
      const results = await Promise.all(attempts);
      expect(results.filter((result) => 'told' in result)).toHaveLength(checked);
      server.clock.advance(60 * SECOND);
    }
    const stored = JSON.stringify(await db.selectFrom('rate_limits').selectAll().execute());
    expect(stored).toMatch(/try:sign-in:/);
    expect(stored).not.toContain('10.9.9');
  });
});

test('runs known devices first and failed clients last, with a limited queue per rank', async () => {
  const semaphore = createSemaphore(1, { next: 2, last: 2 });
  const order: string[] = [];
  const busy = Promise.withResolvers<void>();
  const work = (name: string, rank: Rank) => semaphore.run(async () => order.push(name), { rank });
  const all: Promise<unknown>[] = [semaphore.run(() => busy.promise)];
  for (const rank of ['last', 'next'] as const) {
    all.push(work(rank, rank), work(`${rank} again`, rank));
    await expect(work('one too many', rank)).rejects.toBeInstanceOf(SemaphoreFull);
  }
  all.push(work('known', 'first'));
  busy.resolve();
  await Promise.all(all);
  expect(order).toEqual(['known', 'next', 'next again', 'last', 'last again']);
});

test('delays no refusal that comes alone, and each of many by 20 ms more, up to five seconds and 5,000 refusals', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const spacing = createRefusalDelay();
  expect(await spacing()).toBe(0);
  await vi.advanceTimersByTimeAsync(REFUSAL_DELAY.spacingMs);
  const all = Array.from({ length: 5_002 }, spacing);
  await vi.advanceTimersByTimeAsync(REFUSAL_DELAY.maxDelayMs);
  const delays = await Promise.all(all);
  expect(delays.slice(0, 3)).toEqual([0, 20, 40]);
  expect(delays.slice(-3)).toEqual([5_000, 5_000, 0]);
});

test('groups IPv4 by address and IPv6 by /64 and /48', () => {
  const networks = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::1:ffff:192.0.2.1': '0:0:0:0::/64',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    unknown: 'unknown',
  };
  const found = Object.keys(networks).map((address) => [address, networkOf(address)]);
  expect(Object.fromEntries(found)).toEqual(networks);
  expect(networksOf('2001:db8:1:abff::1')).toEqual([
    { reach: 'prefix48', name: '2001:db8:1::/48' },
    { reach: 'network', name: '2001:db8:1:abff::/64' },
  ]);
  expect(networksOf('::ffff:192.0.2.1')).toEqual([{ reach: 'network', name: '192.0.2.1' }]);
});

/** A refused entry with values of more than maximum length. */
const longest = (token_id: string | null): RefusedEntry => ({
  token_id,
  token_value: 'W'.repeat(5_000),
  device_id: 'd'.repeat(100),
  user_agent: 'è'.repeat(500),
  error_message: 'Token non valido',
  reason: 'token_unknown',
  notification: { type: 'access', success: false, token_value: 'W', error_message: 'Token non valido' },
});

test('stores a limited number of refused attempts, shortened, and counts older ones by day', async () => {
  const server = await openTestServer(sqliteDatabase);
  const { inTransaction, now } = server.deps;
  const record = (count: number, token_id: string | null) =>
    inTransaction(async (tx) => {
      for (let n = 0; n < count; n += 1) await recordRefusedEntry(tx, longest(token_id), now());
    });
  const { guesses, existingCodes, typedChars, userAgentChars } = REFUSED_ENTRIES;
  await configure(server);
  const { id, token } = await makeCode(server);
  await enterOrThrow(server, token);
  await record(existingCodes + 100, id);
  server.clock.advance(DAY);
  await record(guesses + 300, null);
  server.clock.advance(DAY);
  await record(200, null);
  await countRefusedTries(server.deps);
  const [accesses, events] = [await rowsOf(server, 'access_logs'), await rowsOf(server, 'event_logs')];
  const denied = events.filter(({ event_type }) => event_type === 'access_denied');
  const notices = (await rowsOf(server, 'notifications')).filter(({ payload }) => payload.includes('false'));
  for (const rows of [accesses.filter(({ success }) => !success), denied, notices])
    expect(rows).toHaveLength(existingCodes + guesses);
  expect(accesses.filter(({ token_id }) => token_id === id)).toHaveLength(1 + existingCodes);
  expect(denied[0]?.token_value).toHaveLength(typedChars);
  expect(denied[0]?.user_agent).toHaveLength(userAgentChars);
  const { accessi_per_giorno } = await readDashboard(server.ctx);
  expect(accessi_per_giorno.slice(-3)).toEqual([
    { giorno: '2027-02-14', riusciti: 1, rifiutati: existingCodes + 100 },
    { giorno: '2027-02-15', riusciti: 0, rifiutati: guesses + 300 },
    { giorno: '2027-02-16', riusciti: 0, rifiutati: 200 },
  ]);
  const logs = await listLogs(server.ctx, { event_type: 'access_denied' });
  expect(logs).toMatchObject({ solo_contati: 600, totale: existingCodes + guesses });
  await server.close();
});
