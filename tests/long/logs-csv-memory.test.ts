import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PreparedServer, spawnWithEvents } from '../support/prepared-server.ts';
import { peakMemory } from '../support/server.ts';

const MB = 1024 * 1024;
const MANY = 60_000;
const TIMES = 10;

let server: PreparedServer<string>;
beforeAll(async () => {
  server = await spawnWithEvents(MANY, { LOG_LEVEL: 'silent' });
});
afterAll(() => server.stop());

/** How many lines it has. */
async function download(): Promise<number> {
  const response = await fetch(`${server.url}/api/admin/logs.csv`, {
    headers: { cookie: server.prepared },
  });
  let lines = 0;
  for await (const chunk of response.body ?? []) for (const byte of chunk) if (byte === 10) lines += 1;
  return lines;
}

test('the CSV of 60,000 events again and again makes the server no larger', async () => {
  // The first one brings what the answers to any request are made in.
  // The head, and the event that the sign-up left.
  expect(await download()).toBe(1 + 1 + MANY);
  const before = peakMemory(server);
  for (let time = 0; time < TIMES; time += 1) expect(await download()).toBe(1 + 1 + MANY);
  expect(peakMemory(server) - before).toBeLessThan(50 * MB);
}, 300_000);
