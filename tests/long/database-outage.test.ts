import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { spawnBundled } from '../support/bundled.ts';
import { type Client, createClient } from '../support/client.ts';
import { checkEntries, enter, newEntry, startLoad } from '../support/entries.ts';
import { checkLaws } from '../support/laws.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { makeCodes, prepare } from '../support/prepared.ts';
import { newFolder, type SpawnedServer } from '../support/server.ts';

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
  client = createClient(8);
  server = await spawnBundled({
    dataDir: folder,
    env: { DATABASE_URL: postgres.url, TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterEach(async () => {
  client.close();
  await server.end('SIGKILL');
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
});

test('PostgreSQL stopped at once and started again, under load', { timeout: 300_000 }, async () => {
  const admin = await prepare(server.url);
  const codes = await makeCodes(server.url, admin, 600);
  const load = startLoad({ client, url: server.url }, codes);

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
    const reply = await enter({ client, url: server.url }, entry);
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
  for (const entry of entries)
    await expect.poll(async () => (await enter({ client, url: server.url }, entry)).status).toBe(200);
  expect(await checkLaws(db, new Date())).toEqual([]);
  await close();
});
