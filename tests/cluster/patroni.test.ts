import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { type Client, createClient } from '../support/client.ts';
import { revokeCode } from '../support/http-evening.ts';
import { checkInvariants } from '../support/invariants.ts';
import { checkEntries, enter, makeCodes, move, newEntry, prepare, startLoad } from '../support/prepared.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { openEventStream } from './hear.ts';
import { type Patroni, startPatroni } from './patroni.ts';

/** Replies to wait for before PostgreSQL is killed, and afterwards. */
const UP = 80;
/** Maximum time from the end of the promotion to the product's first reply, in ms. */
const BACK_MS = 3_000;
/** Maximum time until a revocation is received, in ms. */
const HEARD_MS = 6_000;

let patroni: Patroni;
let folder: string;
let server: SpawnedServer;
let client: Client;
beforeAll(async () => {
  patroni = await startPatroni();
  folder = await newFolder();
  client = createClient(8);
  server = await spawnServer({
    dataDir: folder,
    env: { DATABASE_URL: patroni.url, TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterAll(async () => {
  client?.close();
  await server?.end('SIGKILL');
  await patroni?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('recovers automatically when leader and Patroni are killed under load, and loses nothing acknowledged', async () => {
  const admin = await prepare(server.url);
  const door = { client, url: server.url };
  const [hers, ...codes] = await makeCodes(server.url, admin, 1_500);
  const visitor = newEntry(hers ?? expect.unreachable(), codes.length);
  const { cookie } = await enter(door, visitor);
  await move(door, { ...visitor, cookie });
  const heard = await openEventStream(server.url, cookie);
  const load = startLoad(door, codes);
  await load.answered(200, UP);
  const down = load.answered(503, 1);
  await patroni.failOver();
  const promoted = performance.now();
  await down;
  await load.answered(200, 1);
  const back = performance.now() - promoted;
  await load.answered(200, UP);
  const entries = await load.stop();
  expect(load.others).toEqual([]);
  // A visitor's stream needs no database.
  expect(heard.text()).not.toContain('event: bye');
  const said = performance.now();
  await revokeCode(server, { admin }, visitor.code);
  expect(await heard.until('disconnected')).toBe(true);
  expect(performance.now() - said).toBeLessThan(HEARD_MS);
  heard.close();
  expect(server.process.exitCode).toBeNull();
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  const { db, close } = await openDatabase({ DATABASE_URL: patroni.url, DATA_DIR: folder });
  expect(await checkInvariants(db, new Date())).toEqual([]);
  await checkEntries(db, [...entries, visitor]);
  await close();
  expect(back).toBeLessThan(BACK_MS);
});
