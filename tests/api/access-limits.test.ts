import { describe, expect, test } from 'vitest';
import { FAILED_CODES } from '../../src/domain/limits.ts';
import { enter } from '../../src/server/features/access/access.service.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { createTries } from '../../src/server/limits/attempts.ts';
import { createSemaphore } from '../../src/server/limits/semaphore.ts';
import { eachDatabase } from '../support/databases.ts';
import { inParallel } from '../support/parallel.ts';
import { useServer } from '../support/suites.ts';
import { attemptOf, comeIn, makeCode, tryToEnter } from '../support/visits.ts';

const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

/** How many were looked at and refused. */
const refusals = (results: object[]) =>
  results.filter((result) => JSON.stringify(result) === '{"refused":"CODE_INVALID"}').length;

describe.each(eachDatabase)('wrong codes, on %s', (_name, open) => {
  const server = useServer(open);

  const guess = (address: string) => tryToEnter(server, `ROM-${Math.random()}`, { address });
  const failures = () =>
    server.deps.db.selectFrom('access_logs').selectAll().where('success', '=', false).execute();

  test('from elsewhere, a flood of them too, never refuse the right one', async () => {
    const { token } = await makeCode(server, { max_accessi: 100 });
    await inParallel(
      Array.from({ length: 300 }, (_, n) => () => guess(`198.51.100.${n % 60}`)),
      40,
    );
    for (let n = 0; n < 20; n += 1)
      expect(await tryToEnter(server, token, { address: `192.0.2.${n}` })).toHaveProperty('secret');
  });

  test('five at once from one network, however many are under way; then one each ten seconds', async () => {
    const { token } = await makeCode(server);
    const results = await Promise.all(Array.from({ length: 40 }, () => guess('192.0.2.1')));
    expect(refusals(results)).toBe(5);
    expect(results.at(-1)).toEqual({ refused: 'TOO_MANY_ATTEMPTS', secondi: 10 });
    server.clock.advance(7 * SECOND);
    const early = await tryToEnter(server, token, { address: '192.0.2.1' });
    expect(early).toEqual({ refused: 'TOO_MANY_ATTEMPTS', secondi: 3 });
    server.clock.advance(3 * SECOND);
    const again = await Promise.all(Array.from({ length: 10 }, () => guess('192.0.2.1')));
    expect(refusals(again)).toBe(1);
    server.clock.advance(10 * SECOND);
    expect(await tryToEnter(server, token, { address: '192.0.2.1' })).toHaveProperty('secret');
  });

  test('of one network never exceed the limit, on three nodes at once, all through ten minutes', async () => {
    const { db } = server.deps;
    const nodes = Array.from({ length: 3 }, () => ({
      ...server.deps,
      tries: createTries({ db, now: server.deps.now, semaphore: createSemaphore(4) }),
    }));
    const told: number[] = [];
    for (let second = 0; second < 600; second += 4) {
      const results = await Promise.all(
        nodes.map((node) => enter(node, attemptOf('ROM-SBAGLIATO', { address: '2001:db8::1' }))),
      );
      told.push(...Array.from({ length: refusals(results) }, () => second * SECOND));
      server.clock.advance(4 * SECOND);
    }
    const { atOnce, everyMs } = FAILED_CODES.network;
    for (const from of told)
      for (const window of [10, 60, 300])
        expect(told.filter((at) => at >= from && at < from + window * SECOND).length).toBeLessThanOrEqual(
          atOnce + (window * SECOND) / everyMs,
        );
    expect(told.length).toBeGreaterThan(50);
  });

  test('of many IPv6 networks with one prefix are counted together, once they have failed themselves', async () => {
    const spread = (count: number, network: (n: number) => string) =>
      inParallel(
        Array.from({ length: count }, (_, n) => () => guess(network(n))),
        8,
      );
    const in56 = (n: number) => `2001:db8:1:${n.toString(16)}::1`;
    const in48 = (n: number) => `2001:db8:1:${(n + 1).toString(16)}00::1`;
    // The first of each is told. There is room for 25 in a 56 and for 100 in a 48, and both are counted on beyond it.
    expect(refusals(await spread(20, in56))).toBe(20);
    expect(refusals(await spread(20, in56))).toBe(5);
    expect(refusals(await spread(60, in48))).toBe(60);
    expect(refusals(await spread(60, in48))).toBe(15);
    server.clock.advance(2 * SECOND);
    expect(refusals(await spread(20, in56))).toBe(1);
    expect(refusals(await spread(60, in48))).toBe(3);
    expect(await guess('2001:db8:2::1')).toEqual({ refused: 'CODE_INVALID' });
  });

  test('of its neighbours within a 56 and a 48 only slow a network that has none of its own; who has to wait is told in turn', async () => {
    let spaced = 0;
    const spacing = async () => {
      spaced += 1;
      return 0;
    };
    const { db, now } = server.deps;
    const patient = {
      ...server.deps,
      tries: createTries({ db, now, semaphore: createSemaphore(4), spacing }),
    };
    const at = (address: string, code: string) => enter(patient, attemptOf(code, { address }));
    const { token } = await makeCode(server, { max_accessi: 100 });
    for (let n = 0; n < 25; n += 1) await at(`2001:db8:1:${n.toString(16)}::1`, 'ROM-SBAGLIATO');
    expect(spaced).toBe(0);
    expect(await at('2001:db8:2::1', token)).toHaveProperty('secret');
    expect(spaced).toBe(0);
    expect(await at('2001:db8:1:ff::1', token)).toHaveProperty('secret');
    expect(spaced).toBe(1);
    expect(await at('2001:db8:1:1::1', token)).toEqual({ refused: 'TOO_MANY_ATTEMPTS', secondi: 2 });
    expect(spaced).toBe(2);
    expect(await at('2001:db8:1:fe::1', 'ROM-SBAGLIATO')).toEqual({ refused: 'CODE_INVALID' });
    expect(await at('2001:db8:1:fe::1', token)).toMatchObject({ refused: 'TOO_MANY_ATTEMPTS' });
  });

  test('right codes are no tries: a hundred from one address at once', async () => {
    const { token } = await makeCode(server, { max_accessi: 100 });
    await inParallel(
      Array.from({ length: 100 }, () => () => comeIn(server, token, { address: '192.0.2.1' })),
      40,
    );
    for (let times = 0; times < 5; times += 1)
      expect(await guess('192.0.2.1')).toEqual({ refused: 'CODE_INVALID' });
    expect(await guess('192.0.2.1')).toMatchObject({ refused: 'TOO_MANY_ATTEMPTS' });
  });

  test('addresses are not readable in the database, and counters go when all is forgiven', async () => {
    await guess('192.0.2.1');
    await guess('2001:db8::1');
    const kept = await server.deps.db.selectFrom('rate_limits').selectAll().execute();
    expect(kept).toHaveLength(4);
    expect(JSON.stringify(kept)).not.toMatch(/192\.0\.2\.1|2001/);
    server.clock.advance(10 * SECOND);
    await sweepSessions(server.deps);
    expect(await server.deps.db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
  });

  test('a clock put back lets nobody wait longer than the longest pause', async () => {
    for (const back of [30 * SECOND, DAY]) {
      for (let times = 0; times < 6; times += 1) await guess('192.0.2.1');
      server.clock.advance(-back);
      server.clock.advance(10 * SECOND);
      expect(await guess('192.0.2.1')).toEqual({ refused: 'CODE_INVALID' });
    }
    server.clock.advance(-2 * DAY);
    await sweepSessions(server.deps);
    expect(await server.deps.db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
  });

  test('that are not looked at, and empty ones, leave a line a minute; the others are counted', async () => {
    const { token } = await makeCode(server);
    for (let times = 0; times < 25; times += 1) await guess('192.0.2.1');
    await tryToEnter(server, ' - ', { address: '192.0.2.9' });
    await tryToEnter(server, '', { address: '192.0.2.9' });
    const reasons = (await failures()).map(({ error_message }) => error_message).toSorted();
    expect(reasons).toEqual([
      'Nessun codice scritto',
      ...Array.from({ length: 5 }, () => 'Token non valido'),
      'Troppi tentativi',
    ]);
    const events = await server.deps.db.selectFrom('event_logs').selectAll().execute();
    expect(events.filter(({ event_type }) => event_type === 'access_denied')).toHaveLength(7);
    expect(await server.deps.db.selectFrom('notifications').selectAll().execute()).toHaveLength(7);
    server.clock.advance(60 * SECOND);
    await tryToEnter(server, '', { address: '192.0.2.9' });
    expect(await server.deps.db.selectFrom('refused_tries_by_day').selectAll().execute()).toEqual([
      { giorno: '2027-02-14', tentativi: 20 },
    ]);
    expect(await tryToEnter(server, token, { address: '192.0.2.9' })).toHaveProperty('secret');
  });
});
