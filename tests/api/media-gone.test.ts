import { once } from 'node:events';
import type { ReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
    const opened: ReadStream[] = [];
    let held = 0;
    const { env } = await left('/api/media/film.mp4');
    if (range !== '') env.incoming.headers.range = range;
    const file = {
      size: SIZE,
      etag: '"x"',
      headers: {},
      read: async (part?: { start: number; end: number }) => {
        const content = await storage.read('film.mp4', part);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the disk reads by
        opened.push(content as ReadStream);
        return content;
      },
    };
    const hold = () => {
      held += 1;
      return () => void (held -= 1);
    };
    await sendFile(env, file, hold);
    const [content] = opened;
    if (content && !content.closed) await once(content, 'close');
    expect([opened.length, content?.destroyed, held]).toEqual([1, true, 0]);
  },
);
