import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkOf } from '../../src/server/features/access/network.ts';
import { sweepSessions } from '../../src/server/features/sessions/sessions.service.ts';
import { eachDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { checkLaws } from '../support/laws.ts';
import { inParallel } from '../support/parallel.ts';
import { comeIn, configure, makeCode, tryToEnter } from '../support/visits.ts';

const MINUTE = 60_000;

/** How many were looked at and refused. */
const refusals = (results: object[]) =>
  results.filter((result) => JSON.stringify(result) === '{"refused":"CODE_INVALID"}').length;

describe.each(eachDatabase)('too many wrong codes, on %s', (_name, open) => {
  let server: TestServer;

  beforeEach(async () => {
    server = await openTestServer(open);
    await configure(server);
  });

  afterEach(async () => {
    await sweepSessions(server.deps);
    expect(await checkLaws(server.deps.db, server.clock.now())).toEqual([]);
    await server.close();
  });

  const guess = (address: string) => tryToEnter(server, `ROM-${Math.random()}`, { address });
  const failures = async () => (await server.deps.db.selectFrom('access_logs').selectAll().execute()).length;

  test('five a minute from one address, also all at once; then not even a right code is looked at', async () => {
    const { token } = await makeCode(server);
    const results = await Promise.all(Array.from({ length: 40 }, () => guess('192.0.2.1')));
    expect(refusals(results)).toBe(5);
    expect(results.at(-1)).toEqual({ refused: 'TOO_MANY_ATTEMPTS', secondi: 60 });
    expect(await failures()).toBe(5);
    server.clock.advance(20_000);
    expect(await tryToEnter(server, token, { address: '192.0.2.1' })).toEqual({
      refused: 'TOO_MANY_ATTEMPTS',
      secondi: 40,
    });
    expect(await tryToEnter(server, token, { address: '192.0.2.2' })).toHaveProperty('secret');
    server.clock.advance(40_000);
    expect(await guess('192.0.2.1')).toEqual({ refused: 'CODE_INVALID' });
  });

  test('thirty an hour from one address', async () => {
    let checked = 0;
    for (let minute = 0; minute < 59; minute += 1) {
      const results = [];
      for (let times = 0; times < 6; times += 1) results.push(await guess('192.0.2.1'));
      checked += refusals(results);
      server.clock.advance(MINUTE);
    }
    expect(checked).toBe(30);
    server.clock.advance(2 * MINUTE);
    expect(await guess('192.0.2.1')).toEqual({ refused: 'CODE_INVALID' });
  });

  test('sixty a minute from everybody, also all at once, and no more rows than that', async () => {
    const results = await inParallel(
      Array.from({ length: 300 }, (_, n) => () => guess(`198.51.100.${n % 200}`)),
      40,
    );
    expect(refusals(results)).toBe(60);
    expect(await failures()).toBe(60);
    const events = await server.deps.db.selectFrom('event_logs').select('id').execute();
    const told = await server.deps.db.selectFrom('notifications').select('id').execute();
    expect([events.length, told.length]).toEqual([60, 60]);
    server.clock.advance(MINUTE);
    expect(await guess('198.51.100.1')).toEqual({ refused: 'CODE_INVALID' });
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

  test('addresses are not readable in the database, and counters go when their time is over', async () => {
    await guess('192.0.2.1');
    const kept = await server.deps.db.selectFrom('rate_limits').selectAll().execute();
    expect(kept).toHaveLength(3);
    expect(JSON.stringify(kept)).not.toContain('192.0.2.1');
    server.clock.advance(61 * MINUTE);
    await sweepSessions(server.deps);
    expect(await server.deps.db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
  });

  test('a clock put back locks nobody out for longer than a window', async () => {
    for (let times = 0; times < 6; times += 1) await guess('192.0.2.1');
    server.clock.advance(-24 * 60 * MINUTE);
    expect(await guess('192.0.2.1')).toEqual({ refused: 'CODE_INVALID' });
  });
});

describe('one address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
