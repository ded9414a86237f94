import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareEvening, store } from '../support/http-evening.ts';
import { newFolder, peakMemory, type SpawnedServer, spawnServer, startServer } from '../support/server.ts';

const MB = 1024 * 1024;
const SIZE = 200 * MB;

let folder: string;
let server: SpawnedServer;
let admin: string;
let film: string;
beforeAll(async () => {
  folder = await newFolder();
  const before = await startServer({ dataDir: folder });
  ({ admin } = await prepareEvening(before));
  const megabyte = Buffer.alloc(MB, 7);
  const content = Readable.from(Array.from({ length: SIZE / MB }, () => megabyte));
  film = (await store(before, 'lungo.mp4', content)).url;
  await before.stop();
  server = await spawnServer({ dataDir: folder });
}, 60_000);
afterAll(async () => {
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const peak = () => peakMemory(server);

async function watch(): Promise<number> {
  const response = await fetch(`${server.url}${film}`, { headers: { cookie: admin } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
}

test('after 200 MB a gigabyte more makes the server no larger', async () => {
  const before = peak();
  expect(await watch()).toBe(SIZE);
  // Chunks that have been sent wait for the garbage collector, which comes every 64 MB.
  const once = peak();
  expect(once - before).toBeLessThan(SIZE / 2);
  for (let again = 0; again < 5; again += 1) expect(await watch()).toBe(SIZE);
  expect(peak() - once).toBeLessThan(40 * MB);
}, 60_000);
