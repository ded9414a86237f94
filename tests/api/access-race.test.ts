import { afterEach, beforeEach, expect, test } from 'vitest';
import { normalizeCode } from '../../src/domain/codes.ts';
import { type EntryDenied, type EntryGranted, redeem } from '../../src/server/features/access/redeem.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { postgresDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { checkInvariants } from '../support/invariants.ts';
import { inParallel } from '../support/parallel.ts';
import { createRandom } from '../support/random.ts';
import { attemptOf, configure, makeCode } from '../support/visits.ts';

/** Enters without the limit of wrong codes, which would slow down the losers of the race. */
function race({ deps }: TestServer, token: string): Promise<EntryGranted | EntryDenied> {
  const attempt = attemptOf(token);
  return deps.inTransaction((tx) =>
    redeem({ tx, key: deps.secret, now: deps.now() }, attempt, normalizeCode(token)),
  );
}

/** The order of the entries. */
const { shuffled } = createRandom('Entries');

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

test('uses codes for three entries exactly up to their limit while others are revoked and restored', async () => {
  const { codes, entries } = await makeCodes(10, 3);
  const switches = codes
    .slice(0, 5)
    .flatMap(({ id }) => [false, true].map((attivo) => () => setTokenActive(server.ctx, { id, attivo })));
  await inParallel<unknown>(shuffled([...entries, ...switches]), AT_ONCE);
  const untouched = codes.slice(5).map(({ id }) => id);
  const rows = await server.deps.db.selectFrom('tokens').selectAll().where('id', 'in', untouched).execute();
  expect(rows.map(({ accessi_usati }) => accessi_usati)).toEqual(Array(5).fill(3));
});
