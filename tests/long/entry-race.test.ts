import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { spawnBundled } from '../support/bundled.ts';
import { createClient } from '../support/client.ts';
import { type EmptyDatabase, emptyPostgres } from '../support/databases.ts';
import { checkInvariants } from '../support/invariants.ts';
import { inParallel } from '../support/parallel.ts';
import { makeCodes, prepare } from '../support/prepared.ts';
import { createRandom } from '../support/random.ts';
import type { SpawnedServer } from '../support/server.ts';

/**
 * Twenty entries over HTTP at two nodes for each of many codes of one use, each from a separate network. None of these has failed before,
 * so every entry is checked, forty at a time. tests/api/access-race.test.ts covers the race in the service.
 */
const CODES = 200;
const ATTEMPTS = 20;
const CONNECTIONS = 40;

let database: EmptyDatabase;
let nodes: SpawnedServer[];
const client = createClient(CONNECTIONS / 2);
beforeEach(async () => {
  database = await emptyPostgres();
  const { DATA_DIR, ...where } = database.env;
  const env = { ...where, TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' };
  // Both at once: one of them creates the tables.
  nodes = await Promise.all([0, 1].map(() => spawnBundled({ dataDir: DATA_DIR, env })));
});
afterEach(async () => {
  client.close();
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
  await database.remove();
});

test(`admits exactly ${CODES} of ${CODES * ATTEMPTS} entries on ${CODES} one-use codes at two nodes`, {
  timeout: 600_000,
}, async () => {
  const urls = nodes.map(({ url }) => url);
  const urlOf = (n: number) => urls[n % 2] ?? '';
  const codes = await makeCodes(urlOf(0), await prepare(urlOf(0)), CODES);
  const attempts = codes.flatMap(({ token }, n) =>
    Array.from({ length: ATTEMPTS }, (_, m) => async () => {
      const body = { token, attempt_id: randomUUID(), device_id: `device-${n}-${m}` };
      const from = `10.${m}.${n >> 8}.${n & 255}`;
      return { token, reply: await client.post(urlOf(n + m), '/access', body, { from }) };
    }),
  );
  const ended = await inParallel(createRandom('race').shuffled(attempts), CONNECTIONS);

  const admitted = ended.filter(({ reply }) => reply.status === 200);
  const refused = ended.filter(({ reply }) => reply.status !== 200);
  expect(new Set(admitted.map(({ token }) => token)).size).toBe(CODES);
  expect([admitted.length, refused.length]).toEqual([CODES, CODES * (ATTEMPTS - 1)]);
  expect(new Set(refused.map(({ reply }) => reply.body.codice))).toEqual(new Set(['CODE_EXHAUSTED']));
  for (const [n, { reply }] of admitted.entries()) {
    const visit = await client.post(urlOf(n), '/visit/resume', {}, { cookie: reply.cookie });
    expect(visit.body).toMatchObject({ token_id: reply.body.token_id, position: { step: 0 } });
  }

  for (const node of nodes) expect(await node.end('SIGTERM')).toBe(0);
  const { db, close } = await openDatabase({ DATABASE_URL: undefined, ...database.env });
  expect(await checkInvariants(db, new Date())).toEqual([]);
  const used = await db.selectFrom('tokens').select('accessi_usati').distinct().execute();
  expect(used).toEqual([{ accessi_usati: 1 }]);
  // Of the refusals only some are kept as rows; all are counted.
  const logged = await db.selectFrom('access_logs').select('success').execute();
  const counted = await db.selectFrom('refused_tries_by_day').select('tentativi').execute();
  const kept = logged.filter(({ success }) => !success).length;
  expect(counted.reduce((sum, { tentativi }) => sum + tentativi, kept)).toBe(refused.length);
  await close();
});
