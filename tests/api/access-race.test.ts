import { afterEach, beforeEach, expect, test } from 'vitest';
import { normalizeCode } from '../../src/domain/codes.ts';
import { type EntryDenied, type EntryGranted, redeem } from '../../src/server/features/access/redeem.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { postgresDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { countRoundTrips } from '../support/flights.ts';
import { checkInvariants } from '../support/invariants.ts';
import { inParallel } from '../support/parallel.ts';
import { attemptOf, configure, enterOrThrow, makeCode } from '../support/visits.ts';

/** Enters without the limit of wrong codes, which would slow down the losers of the race. */
function race({ deps }: TestServer, token: string): Promise<EntryGranted | EntryDenied> {
  const attempt = attemptOf(token);
  return deps.inTransaction((tx) =>
    redeem({ tx, key: deps.secret, now: deps.now() }, attempt, normalizeCode(token)),
  );
}

/** Shuffles the same way in every run, so that a failure can be reproduced. */
function shuffled<T>(list: T[]): T[] {
  let seed = 20_270_214;
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  return list
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const CODES = 20;
/** Concurrency: four per PostgreSQL connection, so that no entry waits too long. */
const AT_ONCE = 40;

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer(postgresDatabase);
  await configure(server);
});
afterEach(async () => {
  expect(await checkInvariants(server.deps.db, server.clock.now())).toEqual([]);
  await server.close();
});

async function makeCodes(count: number, max_accessi = 1) {
  const codes = [];
  for (let n = 0; n < count; n += 1) codes.push(await makeCode(server, { max_accessi }));
  const entries = codes.flatMap(({ token }) => Array.from({ length: 20 }, () => () => race(server, token)));
  return { codes, entries };
}

test(`admits exactly ${CODES} of ${20 * CODES} entries on ${CODES} one-use codes`, async () => {
  const { entries } = await makeCodes(CODES);
  const results = await inParallel(shuffled(entries), AT_ONCE);
  const admitted = results.filter((result) => 'secret' in result);
  const denied = results.flatMap((result) => ('refused' in result ? [result.refused] : []));
  expect([admitted.length, denied.length]).toEqual([CODES, 19 * CODES]);
  expect(new Set(admitted.map(({ visit }) => visit.token_id)).size).toBe(CODES);
  expect(new Set(denied)).toEqual(new Set(['CODE_EXHAUSTED']));
});

test.each([1, 3])(
  'uses codes for %i exactly up to their limit while others are revoked and restored',
  async (max_accessi) => {
    const { codes, entries } = await makeCodes(10, max_accessi);
    const switches = codes
      .slice(0, 5)
      .flatMap(({ id }) => [false, true].map((attivo) => () => setTokenActive(server.ctx, { id, attivo })));
    await inParallel<unknown>(shuffled([...entries, ...switches]), AT_ONCE);
    const untouched = codes.slice(5).map(({ id }) => id);
    const rows = await server.deps.db.selectFrom('tokens').selectAll().where('id', 'in', untouched).execute();
    expect(rows.map(({ accessi_usati }) => accessi_usati)).toEqual(Array(5).fill(max_accessi));
  },
);

test('enters in six round trips: limit, begin, two reads, one write, commit', async () => {
  const { token } = await makeCode(server, { max_accessi: 5 });
  // The first entry stores the visit's configuration snapshot.
  await enterOrThrow(server, token);
  const flights = await countRoundTrips(server.database);
  await enterOrThrow(server, token);
  expect(flights()).toBe(6);
});
