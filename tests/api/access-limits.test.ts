import { expect, test } from 'vitest';
import { FAILED_CODES } from '../../src/domain/limits.ts';
import { enter } from '../../src/server/features/access/access.service.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { createTries, tooMany } from '../../src/server/limits/attempts.ts';
import { createSemaphore } from '../../src/server/limits/semaphore.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { sleepBy } from '../support/deps.ts';
import { inParallel } from '../support/parallel.ts';
import { useServer } from '../support/suites.ts';
import { attemptOf, comeIn, makeCode, tryToEnter } from '../support/visits.ts';

const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

const WRONG = { refused: 'CODE_INVALID' };

/** How many were looked at and refused. */
const refusals = (results: object[]) =>
  results.filter((result) => JSON.stringify(result) === JSON.stringify(WRONG)).length;

/** When the last of so many wrong codes may be told, in ms after the first. */
const paceOf = (count: number) =>
  Math.max(0, count - FAILED_CODES.network.atOnce) * FAILED_CODES.network.everyMs;

const server = useServer(sqliteDatabase);

const guess = (address: string) => tryToEnter(server, `ROM-${Math.random()}`, { address });
const failures = () =>
  server.deps.db.selectFrom('access_logs').selectAll().where('success', '=', false).execute();

test('wrong codes from elsewhere, a flood of them too, never refuse the right one', async () => {
  const { token } = await makeCode(server, { max_accessi: 100 });
  await inParallel(
    Array.from({ length: 300 }, (_, n) => () => guess(`198.51.100.${n % 60}`)),
    40,
  );
  for (let n = 0; n < 20; n += 1)
    expect(await tryToEnter(server, token, { address: `192.0.2.${n}` })).toHaveProperty('secret');
});

test('wrong codes from one network are judged at once at first, then 30 a second; none is refused', async () => {
  const { token } = await makeCode(server);
  const began = server.clock.now().getTime();
  const results = await Promise.all(Array.from({ length: 60 }, () => guess('192.0.2.1')));
  expect(refusals(results)).toBe(60);
  const elapsed = server.clock.now().getTime() - began;
  expect(elapsed).toBeGreaterThanOrEqual(paceOf(60));
  expect(elapsed).toBeLessThanOrEqual(paceOf(70));
  expect(await tryToEnter(server, token, { address: '192.0.2.1' })).toHaveProperty('secret');
});

test('wrong codes of one network never exceed the limit, on three nodes at once', async () => {
  const { db, now } = server.deps;
  const nodes = Array.from({ length: 3 }, () => ({
    ...server.deps,
    tries: createTries({ db, now, semaphore: createSemaphore(4), sleep: sleepBy(server.clock) }),
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
  expect(await tryToEnter(server, token, { address: at(99) })).toHaveProperty('secret');
});

test('right codes are no tries: a hundred from one address at once', async () => {
  const { token } = await makeCode(server, { max_accessi: 100 });
  await inParallel(
    Array.from({ length: 100 }, () => () => comeIn(server, token, { address: '192.0.2.1' })),
    40,
  );
  const began = server.clock.now().getTime();
  for (let times = 0; times < 20; times += 1) expect(await guess('192.0.2.1')).toEqual(WRONG);
  expect(server.clock.now().getTime()).toBe(began);
});

test('addresses are not readable in the database, and counters go when all is forgiven', async () => {
  await guess('192.0.2.1');
  await guess('2001:db8::1');
  const kept = await server.deps.db.selectFrom('rate_limits').selectAll().execute();
  expect(kept).toHaveLength(3);
  expect(JSON.stringify(kept)).not.toMatch(/192\.0\.2\.1|2001/);
  server.clock.advance(10 * SECOND);
  await sweepSessions(server.deps);
  expect(await server.deps.db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
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
  expect(await server.deps.db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
});

test('codes that are not looked at, and empty ones, leave a line a minute; the others are counted', async () => {
  const { token } = await makeCode(server);
  const busy = { ...server.deps, tries: { ...server.deps.tries, run: async () => tooMany(3 * SECOND) } };
  for (let times = 0; times < 20; times += 1)
    expect(await enter(busy, attemptOf('ROM-SBAGLIATO', { address: '192.0.2.1' }))).toEqual(
      tooMany(3 * SECOND),
    );
  await tryToEnter(server, ' - ', { address: '192.0.2.9' });
  await tryToEnter(server, '', { address: '192.0.2.9' });
  const reasons = (await failures()).map(({ error_message }) => error_message).toSorted();
  expect(reasons).toEqual(['Nessun codice scritto', 'Troppi tentativi']);
  const events = await server.deps.db.selectFrom('event_logs').selectAll().execute();
  expect(events.filter(({ event_type }) => event_type === 'access_denied')).toHaveLength(2);
  expect(await server.deps.db.selectFrom('notifications').selectAll().execute()).toHaveLength(2);
  server.clock.advance(60 * SECOND);
  await tryToEnter(server, '', { address: '192.0.2.9' });
  expect(await server.deps.db.selectFrom('refused_tries_by_day').selectAll().execute()).toEqual([
    { giorno: '2027-02-14', tentativi: 20 },
  ]);
  expect(await tryToEnter(server, token, { address: '192.0.2.9' })).toHaveProperty('secret');
});
