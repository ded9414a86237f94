import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventRows } from '../support/csv.ts';
import { signUp } from '../support/http-evening.ts';
import { newFolder, peakMemory, type SpawnedServer, spawnServer, startServer } from '../support/server.ts';

const MB = 1024 * 1024;
const MANY = 60_000;
const BATCH = 1_000;
const TIMES = 10;

let folder: string;
let server: SpawnedServer;
let cookie: string;
beforeAll(async () => {
  folder = await newFolder();
  const before = await startServer({ dataDir: folder });
  cookie = await signUp(before);
  const rows = eventRows(MANY, 1_000);
  for (let from = 0; from < rows.length; from += BATCH)
    await before.deps.inTransaction((tx) =>
      tx
        .insertInto('event_logs')
        .values(rows.slice(from, from + BATCH))
        .execute(),
    );
  await before.stop();
  server = await spawnServer({ dataDir: folder, env: { LOG_LEVEL: 'silent' } });
}, 120_000);
afterAll(async () => {
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

/** How many lines it has. */
async function download(): Promise<number> {
  const response = await fetch(`${server.url}/api/admin/logs.csv`, { headers: { cookie } });
  let lines = 0;
  for await (const chunk of response.body ?? []) for (const byte of chunk) if (byte === 10) lines += 1;
  return lines;
}

test('the CSV of 60,000 events again and again makes the server no larger', async () => {
  // The first one brings what the answers to any request are made in.
  expect(await download()).toBe(1 + MANY);
  const before = peakMemory(server);
  for (let time = 0; time < TIMES; time += 1) expect(await download()).toBe(1 + MANY);
  expect(peakMemory(server) - before).toBeLessThan(50 * MB);
}, 300_000);
