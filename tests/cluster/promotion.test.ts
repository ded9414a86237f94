import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { type Client, createClient } from '../support/client.ts';
import { checkEntries, startLoad } from '../support/entries.ts';
import { checkLaws } from '../support/laws.ts';
import { makeCodes, prepare } from '../support/prepared.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { type Pair, postgresPair } from './pair.ts';

/** Answers to wait for before the primary goes, while nobody takes writes, and after the promotion. */
const UP = 80;
const DOWN = 20;
/** What the product may take from the end of the promotion to its first answer, in ms. */
const BACK_MS = 3_000;

let folder: string;
let pair: Pair;
let server: SpawnedServer;
let client: Client;

beforeEach(async () => {
  folder = await newFolder();
  pair = await postgresPair();
  client = createClient(8);
  server = await spawnServer({
    dataDir: folder,
    env: { DATABASE_URL: pair.url, TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterEach(async () => {
  client.close();
  await server.end('SIGKILL');
  await pair.remove();
  await rm(folder, { recursive: true, force: true });
});

test('the primary ends under load and its standby is promoted: back by itself, and nothing acknowledged is lost', async () => {
  const admin = await prepare(server.url);
  const codes = await makeCodes(server.url, admin, 600);
  const load = startLoad({ client, url: server.url }, codes);
  await load.answered(200, UP);
  await pair.primary.crash();
  await load.answered(503, DOWN);
  await pair.standby.ask('select pg_promote()');
  const promoted = performance.now();
  await load.answered(200, 1);
  const back = performance.now() - promoted;
  await load.answered(200, UP);
  const entries = await load.stop();
  console.log(`Back ${Math.round(back)} ms after the promotion.`);
  expect(back).toBeLessThan(BACK_MS);

  expect(server.process.exitCode).toBeNull();
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 10_000 }).toBe(200);
  expect(load.others).toEqual([]);
  const { db, close } = await openDatabase({ DATABASE_URL: pair.url, DATA_DIR: folder });
  expect(await checkLaws(db, new Date())).toEqual([]);
  await checkEntries(db, entries);
  await close();
});

test('a primary that comes back after the promotion is not written to, not even when it is the only one', async () => {
  await prepare(server.url);
  const status = async () => (await fetch(`${server.url}/readyz`)).status;
  await pair.primary.crash();
  await pair.standby.ask('select pg_promote()');
  await expect.poll(status, { timeout: 30_000 }).toBe(200);
  await pair.primary.start();
  expect(await status()).toBe(200);
  const users = "select count(*) from pg_stat_activity where application_name = 'sorpresa'";
  expect(await pair.primary.ask(users)).toEqual([{ count: '0' }]);
  await pair.standby.crash();
  await expect.poll(status, { timeout: 30_000 }).toBe(503);
  await expect.poll(() => server.output(), { timeout: 30_000 }).toContain('left behind by a promotion');
  expect(await pair.primary.ask(users)).toEqual([{ count: '0' }]);
});
