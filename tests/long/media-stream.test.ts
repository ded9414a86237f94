import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { prepareEvening, store } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';

const MB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the bytes in use, without uncollected garbage. */
function memory(): number {
  collectGarbage();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

test('buffers little of a film of 200 MB for each client that reads nothing', async () => {
  const server = await startServer();
  const { admin } = await prepareEvening(server);
  const megabyte = Buffer.alloc(MB, 7);
  const { url } = await store(
    server,
    'lungo.mp4',
    Readable.from(Array.from({ length: 200 }, () => megabyte)),
  );
  const before = memory();
  const stalled = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const request = get(`${server.url}${url}`, { headers: { cookie: admin }, agent: false });
      return ((await once(request, 'response')) as [IncomingMessage])[0];
    }),
  );
  await expect.poll(() => stalled.every((response) => response.readableLength > 0)).toBe(true);
  // A few chunks each, in the server's buffers and in those of the clients, which run in this process, too.
  expect(memory() - before).toBeLessThan(10 * 12 * MB);
  for (const response of stalled) response.destroy();
  await server.stop();
});
