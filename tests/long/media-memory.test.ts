import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareEvening, store } from '../support/http-evening.ts';
import { type PreparedServer, spawnPrepared } from '../support/prepared-server.ts';
import { peakMemory } from '../support/server.ts';

const MB = 1024 * 1024;
const SIZE = 200 * MB;

let server: PreparedServer<{ admin: string; film: string }>;
beforeAll(async () => {
  server = await spawnPrepared(async (before) => {
    const { admin } = await prepareEvening(before);
    const megabyte = Buffer.alloc(MB, 7);
    const content = Readable.from(Array.from({ length: SIZE / MB }, () => megabyte));
    return { admin, film: (await store(before, 'lungo.mp4', content)).url };
  });
});
afterAll(() => server.stop());

const peak = () => peakMemory(server);

async function watch(): Promise<number> {
  const { admin, film } = server.prepared;
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
});
