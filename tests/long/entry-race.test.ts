import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { spawnBundled } from '../support/bundled.ts';
import { type Client, createClient, type Reply } from '../support/client.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { checkInvariants } from '../support/invariants.ts';
import { type Code, makeCodes, prepare } from '../support/prepared.ts';
import { createRandom } from '../support/random.ts';
import { type SpawnedServer } from '../support/server.ts';

/**
 * Twenty entries over HTTP for each of many codes of one use, each from a separate network. None of these has failed before, so every
 * entry is checked, forty at a time. tests/api/access-race.test.ts covers the race in the service.
 */
const CODES = 200;
const ATTEMPTS = 20;
const CONNECTIONS = 40;
const GUESSES = 60;

type Attempt = { token: string; attempt_id: string; device_id: string; from: string };
type Ended = { attempt: Attempt; reply: Reply };

const SETUPS: [string, number, () => Promise<EmptyDatabase>][] = [
  ['SQLite, one process', 1, emptySqlite],
  ['PostgreSQL, two processes', 2, emptyPostgres],
];

describe.each(SETUPS)('race for codes over HTTP on %s', (name, processes, empty) => {
  let database: EmptyDatabase;
  let nodes: SpawnedServer[] = [];
  const client = createClient(CONNECTIONS / processes);

  afterEach(async () => {
    client.close();
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    await database.remove();
  });

  test(`admits exactly ${CODES} of ${CODES * ATTEMPTS} entries on ${CODES} one-use codes`, {
    timeout: 600_000,
  }, async () => {
    database = await empty();
    nodes = await startNodes(database, processes);
    expect(nodes).toHaveLength(processes);
    const urls = nodes.map(({ url }) => url);
    const admin = await prepare(urls[0] as string);
    const codes = await makeCodes(urls[0] as string, admin, CODES);

    const attempts = createRandom(`race on ${name}`).shuffled(attemptsOn(codes));
    const ended = await race(client, urls, attempts);
    expect(await wrongAnswers(client, urls)).toEqual(new Set([403]));

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
    expect(await checkInvariants(db, new Date())).toEqual([]);
    const used = await db.selectFrom('tokens').select('accessi_usati').distinct().execute();
    expect(used).toEqual([{ accessi_usati: 1 }]);
    const logged = await db.selectFrom('access_logs').select('success').execute();
    const counted = await db.selectFrom('refused_tries_by_day').select('tentativi').execute();
    const kept = logged.filter(({ success }) => !success).length;
    expect(logged.filter(({ success }) => success)).toHaveLength(CODES);
    expect(counted.reduce((sum, { tentativi }) => sum + tentativi, kept)).toBe(refused.length + GUESSES);
    await close();
  });
});

/** Starts all nodes at once. Returns those that started, so that they can be ended if another one failed. */
async function startNodes({ env }: EmptyDatabase, count: number): Promise<SpawnedServer[]> {
  const settings = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' };
  const { DATA_DIR, ...where } = env;
  const starts = await Promise.allSettled(
    Array.from({ length: count }, () => spawnBundled({ dataDir: DATA_DIR, env: { ...where, ...settings } })),
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

async function race(client: Client, urls: readonly string[], waiting: Attempt[]): Promise<Ended[]> {
  const ended: Ended[] = [];
  async function visitor(url: string): Promise<void> {
    for (let attempt = waiting.pop(); attempt; attempt = waiting.pop()) {
      const { from, ...body } = attempt;
      ended.push({ attempt, reply: await client.post(url, '/access', body, { from }) });
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => visitor(urls[n % urls.length] ?? '')));
  return ended;
}

/** Sends wrong codes from one network to all nodes at once. Returns the status codes. */
async function wrongAnswers(client: Client, urls: readonly string[]): Promise<Set<number>> {
  const requests = Array.from({ length: GUESSES }, (_, n) =>
    client.post(
      urls[n % urls.length] ?? '',
      '/access',
      { token: 'ROM-SBAGLIATO', attempt_id: randomUUID(), device_id: 'device-1-x' },
      { from: '203.0.113.1' },
    ),
  );
  return new Set((await Promise.all(requests)).map(({ status }) => status));
}
