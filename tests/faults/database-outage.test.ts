import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { type Client, createClient, type Reply } from '../support/client.ts';
import { checkLaws } from '../support/laws.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { type Code, makeCodes, prepare } from '../support/prepared.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';

const WRITERS = 8;
const OUTAGES = 2;
/** Answers to wait for before the database goes, while it is away, and after it is back. */
const UP = 80;
const DOWN = 40;

let folder: string;
let postgres: OwnPostgres;
let server: SpawnedServer;
let client: Client;

beforeEach(async () => {
  folder = await newFolder();
  postgres = await ownPostgres();
  client = createClient(WRITERS);
  server = await spawnServer({
    dataDir: folder,
    env: { DATABASE_URL: postgres.url, TRUSTED_PROXIES: '127.0.0.1' },
  });
}, 120_000);
afterEach(async () => {
  client.close();
  await server.end('SIGKILL');
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
});

/** An entry, or a report of the visit it began, until it has been answered with something else than 503. */
type Entry = {
  code: Code;
  attempt_id: string;
  device_id: string;
  from: string;
  refusals: number;
  cookie: string | undefined;
};

test('PostgreSQL stopped at once and started again, under load', { timeout: 300_000 }, async () => {
  const admin = await prepare(server.url);
  const codes = await makeCodes(server.url, admin, 600);
  const load = startLoad(codes);

  for (let outage = 1; outage <= OUTAGES; outage += 1) {
    await load.answered(200, UP);
    await postgres.crash();
    await load.answered(503, DOWN);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await postgres.start();
    await load.answered(200, UP);
  }
  const entries = await load.stop();

  expect(server.process.exitCode).toBeNull();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(load.others).toEqual([]);
  const { db, close } = await openDatabase({ DATABASE_URL: postgres.url, DATA_DIR: folder });
  expect(await checkLaws(db, new Date())).toEqual([]);
  await checkEntries(db, entries);
  await close();
});

test('a code that was refused with 503 has not been used, and opens once the database is back', {
  timeout: 120_000,
}, async () => {
  const admin = await prepare(server.url);
  const codes = await makeCodes(server.url, admin, 10);
  await postgres.crash();
  const entries = codes.map((code, n) => newEntry(code, n));
  for (const entry of entries) {
    const reply = await enter(entry);
    expect(reply.status).toBe(503);
    expect(reply.body).toEqual({
      codice: 'UNAVAILABLE',
      messaggio: 'Servizio momentaneamente non disponibile. Riprova tra poco.',
    });
  }
  await postgres.start();
  const { db, close } = await openDatabase({ DATABASE_URL: postgres.url, DATA_DIR: folder });
  const used = await db.selectFrom('tokens').select('accessi_usati').distinct().execute();
  expect(used).toEqual([{ accessi_usati: 0 }]);
  for (const entry of entries) await expect.poll(async () => (await enter(entry)).status).toBe(200);
  expect(await checkLaws(db, new Date())).toEqual([]);
  await close();
});

function newEntry(code: Code, n: number): Entry {
  const from = `10.0.${n >> 8}.${n & 255}`;
  return { code, attempt_id: randomUUID(), device_id: `device-${n}`, from, refusals: 0, cookie: undefined };
}

function enter({ code, attempt_id, device_id, from }: Entry): Promise<Reply> {
  const body = { token: code.token, attempt_id, device_id };
  return client.post(server.url, '/access', body, { from });
}

const move = ({ cookie }: Entry) =>
  client.post(server.url, '/visit/position', { step: 0, phrase: 1, second: 0 }, { cookie });

/** Writers that enter and report, one code after the other, and try again what was answered with 503. */
function startLoad(codes: readonly Code[]) {
  const waiting = codes.map((code, n) => newEntry(code, n)).toReversed();
  const done: Entry[] = [];
  const others: string[] = [];
  const watchers = new Set<(status: number) => void>();
  let stopping = false;

  async function until(entry: Entry, ask: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      const reply = await ask();
      for (const watch of watchers) watch(reply.status);
      if (reply.status !== 503) return reply;
      if (reply.body?.codice !== 'UNAVAILABLE') others.push(reply.text);
      entry.refusals += 1;
    }
  }

  async function writer(): Promise<void> {
    while (!stopping) {
      const entry = waiting.pop();
      if (entry === undefined) throw new Error('No code is left');
      const entered = await until(entry, () => enter(entry));
      if (entered.status !== 200) others.push(`${entered.status} ${entered.text}`);
      entry.cookie = entered.cookie;
      const moved = await until(entry, () => move(entry));
      if (moved.status !== 200) others.push(`${moved.status} ${moved.text}`);
      done.push(entry);
    }
  }

  const working = Promise.all(Array.from({ length: WRITERS }, writer));
  return {
    others,
    /** Resolves after so many more answers with this status. */
    async answered(status: number, count: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      let left = count;
      const watch = (seen: number) => {
        if (seen === status) left -= 1;
        if (left <= 0) resolve();
      };
      watchers.add(watch);
      await Promise.race([promise, working]);
      watchers.delete(watch);
    },
    async stop(): Promise<Entry[]> {
      stopping = true;
      await working;
      return done;
    },
  };
}

/** Whatever was acknowledged is there, once. */
async function checkEntries(db: Db, entries: readonly Entry[]): Promise<void> {
  const sessions = await db
    .selectFrom('active_sessions')
    .select(['attempt_id', 'token_id', 'phrase'])
    .execute();
  const stored = new Map(sessions.map((session) => [session.attempt_id, session]));
  expect(sessions).toHaveLength(entries.length);
  for (const { attempt_id, code } of entries)
    expect(stored.get(attempt_id)).toEqual({ attempt_id, token_id: code.id, phrase: 1 });
  const used = await db.selectFrom('tokens').select('id').where('accessi_usati', '=', 1).execute();
  expect(used).toHaveLength(entries.length);
  expect(entries.filter(({ refusals }) => refusals > 0).length).toBeGreaterThan(0);
}
