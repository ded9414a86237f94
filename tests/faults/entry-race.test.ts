import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { type Client, createClient, type Reply } from '../support/client.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { checkLaws } from '../support/laws.ts';
import { type Code, makeCodes, prepare } from '../support/prepared.ts';
import { createRandom } from '../support/random.ts';
import { type SpawnedServer, spawnServer } from '../support/server.ts';

/**
 * Ten thousand entries over HTTP on five hundred codes of one use, from ten thousand addresses.
 *
 * The limits stay as they are. 9,500 entries must fail, and the limit of everybody lets only 60 codes a minute be wrong: whoever comes after
 * is turned away with 429 before the code is looked at, winners included. So it is as on a long evening: who is turned away tries again
 * a minute later, and the minute is made to pass by moving the servers' clocks, from outside (see moving-clock.ts): at each 429, and
 * before most of them, after every twenty failures. All the time forty connections are at it. The race without the limit, at the service, is in tests/api/access-race.test.ts.
 */
const CODES = 500;
const ATTEMPTS = 20;
const CONNECTIONS = 40;
const FAILURES_A_MINUTE = 20;
/** Far more than is needed, and still within the life of a visit. */
const MOST_MINUTES = 1_000;

type Attempt = { token: string; attempt_id: string; device_id: string; from: string };
type Ended = { attempt: Attempt; reply: Reply };

const CLOCK = join(import.meta.dirname, '../support/moving-clock.ts');

const SETUPS: [string, number, () => Promise<EmptyDatabase>][] = [
  ['SQLite, one process', 1, emptySqlite],
  ['PostgreSQL, two processes', 2, emptyPostgres],
];

describe.each(SETUPS)('racing for codes over HTTP, on %s', (name, processes, empty) => {
  let database: EmptyDatabase;
  let nodes: SpawnedServer[] = [];
  const client = createClient(CONNECTIONS / processes);

  afterEach(async () => {
    client.close();
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    await database.remove();
  });

  test('10,000 entries on 500 one-use codes admit exactly 500', { timeout: 600_000 }, async () => {
    database = await empty();
    nodes = await startNodes(database, processes);
    expect(nodes).toHaveLength(processes);
    const urls = nodes.map(({ url }) => url);
    const admin = await prepare(urls[0] as string);
    const codes = await makeCodes(urls[0] as string, admin, CODES);

    const attempts = createRandom(`race on ${name}`).shuffled(attemptsOn(codes));
    const ended = await race(client, nodes, attempts);

    const admitted = ended.filter(({ reply }) => reply.status === 200);
    const refused = ended.filter(({ reply }) => reply.status !== 200);
    expect(ended).toHaveLength(CODES * ATTEMPTS);
    expect(new Set(admitted.map(({ attempt }) => attempt.token))).toEqual(
      new Set(codes.map(({ token }) => token)),
    );
    expect(admitted).toHaveLength(CODES);
    expect(new Set(refused.map(({ reply }) => reply.body.codice))).toEqual(new Set(['CODE_EXHAUSTED']));
    for (const [n, { reply }] of admitted.entries()) {
      const url = urls[n % urls.length] as string;
      const visit = await client.post(url, '/visit/resume', {}, { cookie: reply.cookie });
      expect(visit.body).toMatchObject({ token_id: reply.body.token_id, position: { step: 0 } });
    }

    for (const node of nodes) expect(await node.end('SIGTERM')).toBe(0);
    const { db, close } = await openDatabase({ DATABASE_URL: undefined, ...database.env });
    expect(await checkLaws(db, new Date())).toEqual([]);
    const used = await db.selectFrom('tokens').select('accessi_usati').distinct().execute();
    expect(used).toEqual([{ accessi_usati: 1 }]);
    const logged = await db.selectFrom('access_logs').select('success').execute();
    expect(logged.filter(({ success }) => !success)).toHaveLength(refused.length);
    await close();
  });
});

/** Starts them at once; those that did start, so that they can be ended when another didn't. */
async function startNodes({ env }: EmptyDatabase, count: number): Promise<SpawnedServer[]> {
  const settings = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error', NODE_OPTIONS: `--import=${CLOCK}` };
  const { DATA_DIR, ...where } = env;
  const starts = await Promise.allSettled(
    Array.from({ length: count }, () => spawnServer({ dataDir: DATA_DIR, env: { ...where, ...settings } })),
  );
  for (const start of starts) if (start.status === 'rejected') console.error(start.reason);
  return starts.filter((start) => start.status === 'fulfilled').map(({ value }) => value);
}

function attemptsOn(codes: readonly Code[]): Attempt[] {
  return codes.flatMap(({ token }, n) =>
    Array.from({ length: ATTEMPTS }, (_, m) => ({
      token,
      attempt_id: randomUUID(),
      device_id: `device-${n}-${m}`,
      from: `10.${m}.${n >> 8}.${n & 255}`,
    })),
  );
}

/** Every attempt until it is let in or told that it isn't; who is turned away for the moment comes again a minute later. */
async function race(client: Client, nodes: readonly SpawnedServer[], waiting: Attempt[]): Promise<Ended[]> {
  const ended: Ended[] = [];
  let minute = 0;
  let failures = 0;

  function nextMinute(): void {
    minute += 1;
    failures = 0;
    if (minute > MOST_MINUTES) throw new Error('The limit of wrong codes lets nobody try any more');
    for (const node of nodes) node.process.kill('SIGUSR2');
  }

  async function visitor(url: string): Promise<void> {
    for (let attempt = waiting.pop(); attempt; attempt = waiting.pop()) {
      const began = minute;
      const { from, ...body } = attempt;
      const reply = await client.post(url, '/access', body, { from });
      if (reply.status !== 429) {
        ended.push({ attempt, reply });
        if (reply.status !== 200) failures += 1;
        if (failures >= FAILURES_A_MINUTE) nextMinute();
        continue;
      }
      waiting.unshift(attempt);
      if (began === minute) nextMinute();
    }
  }

  const urls = Array.from({ length: CONNECTIONS }, (_, n) => nodes[n % nodes.length]?.url ?? '');
  await Promise.all(urls.map(visitor));
  return ended;
}
