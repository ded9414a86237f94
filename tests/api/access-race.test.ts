import { expect, test } from 'vitest';
import { normalizeCode } from '../../src/domain/codes.ts';
import type { Denied, Entered } from '../../src/server/features/access/entry.ts';
import { redeem } from '../../src/server/features/access/redeem.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { postgresDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { checkLaws } from '../support/laws.ts';
import { inParallel } from '../support/parallel.ts';
import { attemptOf, configure, makeCode } from '../support/visits.ts';

/** An entry without the limit of wrong codes, which would end the race after the first sixty losers. */
function race({ deps }: TestServer, token: string): Promise<Entered | Denied> {
  const attempt = attemptOf(token);
  return deps.inTransaction((tx) =>
    redeem({ tx, key: deps.secret, now: deps.now() }, attempt, normalizeCode(token)),
  );
}

/** The same order every time: a failure can be looked at again. */
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

const CODES = 40;
/** Four for each connection to PostgreSQL: nobody waits too long. */
const AT_ONCE = 40;

test(`${20 * CODES} entries on ${CODES} one-use codes admit exactly ${CODES}, on postgres`, {
  timeout: 120_000,
}, async () => {
  const server = await openTestServer(postgresDatabase);
  await configure(server);
  const codes = [];
  for (let n = 0; n < CODES; n += 1) codes.push(await makeCode(server));
  const jobs = shuffled(
    codes.flatMap(({ token }) => Array.from({ length: 20 }, () => () => race(server, token))),
  );
  const results = await inParallel(jobs, AT_ONCE);
  const admitted = results.filter((result) => 'secret' in result);
  const denied = results.filter((result) => 'denied' in result).map((result) => result.denied);
  expect(results).toHaveLength(20 * CODES);
  expect(admitted).toHaveLength(CODES);
  expect(new Set(admitted.map(({ token_id }) => token_id)).size).toBe(CODES);
  expect(new Set(denied)).toEqual(new Set(['token_exhausted']));
  expect(await checkLaws(server.deps.db, server.clock.now())).toEqual([]);
  await server.close();
});

test.each([1, 2, 3, 7])(
  'codes for %i, some revoked and restored meanwhile, are never used beyond that, on postgres',
  async (max_accessi) => {
    const server = await openTestServer(postgresDatabase);
    await configure(server);
    const codes = [];
    for (let n = 0; n < 10; n += 1) codes.push(await makeCode(server, { max_accessi }));
    const entries = codes.flatMap(({ token }) => Array.from({ length: 20 }, () => () => race(server, token)));
    const switches = codes
      .slice(0, 5)
      .flatMap(({ id }) =>
        [false, true].map((attivo) => () => setTokenActive(server.deps, server.actor, { id, attivo })),
      );
    await inParallel<unknown>(shuffled([...entries, ...switches]), AT_ONCE);
    const left = await server.deps.db
      .selectFrom('tokens')
      .selectAll()
      .where(
        'id',
        'in',
        codes.slice(5).map(({ id }) => id),
      )
      .execute();
    expect(left.map(({ accessi_usati }) => accessi_usati)).toEqual([
      max_accessi,
      max_accessi,
      max_accessi,
      max_accessi,
      max_accessi,
    ]);
    expect(await checkLaws(server.deps.db, server.clock.now())).toEqual([]);
    await server.close();
  },
);
