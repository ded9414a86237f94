import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { spawnBundled } from '../support/bundled.ts';
import { type Client, createClient } from '../support/client.ts';
import { checkInvariants } from '../support/invariants.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { checkEntries, enter, makeCodes, move, newEntry, prepare, startLoad } from '../support/prepared.ts';
import { newFolder, type SpawnedServer } from '../support/server.ts';

const OUTAGES = 2;
/** Replies to wait for: before and after an outage (`UP`), and during it (`DOWN`). */
const UP = 80;
const DOWN = 40;
const UNAVAILABLE = {
  codice: 'UNAVAILABLE',
  messaggio: 'Servizio momentaneamente non disponibile. Riprova tra poco.',
};

let folder: string;
let postgres: OwnPostgres;
let server: SpawnedServer;
let client: Client;

beforeAll(async () => {
  folder = await newFolder();
  postgres = await ownPostgres();
  client = createClient(8);
  server = await spawnBundled({
    dataDir: folder,
    env: { DATABASE_URL: postgres.url, TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterAll(async () => {
  client.close();
  await server.end('SIGKILL');
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
});

test('recovers from crashes of PostgreSQL under load: loses nothing acknowledged, and uses no refused code', {
  timeout: 300_000,
}, async () => {
  const admin = await prepare(server.url);
  const [code, ...codes] = await makeCodes(server.url, admin, 600);
  const unused = newEntry(code ?? expect.unreachable(), 600);
  const target = { client, url: server.url };
  const load = startLoad(target, codes);

  for (let outage = 1; outage <= OUTAGES; outage += 1) {
    await load.answered(200, UP);
    await postgres.crash();
    await load.answered(503, DOWN);
    const refused = await enter(target, unused);
    expect([refused.status, refused.body]).toEqual([503, UNAVAILABLE]);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await postgres.start();
    await load.answered(200, UP);
  }
  const entries = await load.stop();
  // The code was refused twice and not used.
  const entered = await enter(target, unused);
  expect(entered.status).toBe(200);
  await move(target, { ...unused, cookie: entered.cookie });
  expect(server.process.exitCode).toBeNull();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(load.others).toEqual([]);
  const { db, close } = await openDatabase({ DATABASE_URL: postgres.url, DATA_DIR: folder });
  expect(await checkInvariants(db, new Date())).toEqual([]);
  await checkEntries(db, [...entries, unused]);
  await close();
});
