import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sendStream } from '../../src/server/http/send.ts';
import { sendFile } from '../../src/server/http/send-file.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import type { Storage } from '../../src/server/storage/storage.ts';
import { left } from '../support/left.ts';

const SIZE = 3 * 1024 ** 2;

let folder: string;
let storage: Storage;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sorpresa-'));
  storage = await diskStorage(folder);
  await storage.put('film.mp4', Readable.from([Buffer.alloc(SIZE, 7)]));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(['', 'bytes=5-'])(
  'who left while the file was opened leaves no open file behind (Range: %s)',
  async (range) => {
    let held = 0;
    let opened = 0;
    let closed = 0;
    const { env } = await left('/api/media/film.mp4');
    if (range !== '') env.incoming.headers.range = range;
    const file = {
      size: SIZE,
      etag: '"x"',
      headers: {},
      open: async () => {
        const content = await storage.open('film.mp4');
        opened += 1;
        return {
          ...content,
          close() {
            closed += 1;
            content.close();
          },
        };
      },
    };
    const hold = () => {
      held += 1;
      return () => void (held -= 1);
    };
    await sendFile(env, file, hold);
    await expect.poll(() => [opened, closed, held]).toEqual([1, 1, 0]);
  },
);

test('of who left before the first byte the stream is closed unread, and its end is told', async () => {
  const { env } = await left('/api/admin/logs.csv');
  const content = Readable.from(['a', 'b']);
  const ends: (Error | null)[] = [];
  sendStream(env.outgoing, { status: 200, headers: {} }, content, (error) => ends.push(error));
  expect([content.destroyed, ends]).toEqual([true, [null]]);
});

test('who leaves while bytes are fetched from elsewhere has them given up', async () => {
  const givenUp = Promise.withResolvers<never>();
  const asked = Promise.withResolvers<void>();
  const file = {
    size: SIZE,
    etag: '"x"',
    headers: {},
    open: async () => ({
      read() {
        asked.resolve();
        return givenUp.promise;
      },
      close: () => givenUp.reject(new Error('nobody wants it')),
    }),
  };
  const http = createServer((incoming, outgoing) => {
    void sendFile({ incoming, outgoing }, file, () => () => undefined);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const client = get({ port, host: '127.0.0.1' }).on('error', () => undefined);
  await asked.promise;
  client.destroy();
  await expect(givenUp.promise).rejects.toThrow('nobody wants it');
  http.close();
});
