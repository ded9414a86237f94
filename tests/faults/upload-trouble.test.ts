import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ERRORS } from '@tus/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DISK_SPACE } from '../../src/domain/limits.ts';
import { processCompleted } from '../../src/server/features/uploads/arrivals.ts';
import type { Storage } from '../../src/server/storage/storage.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { announce, cancel, finish, idOf, MEDIA, offsetOf, send } from '../support/uploads.ts';

let server: TestServer;
let to: { url: string; cookie: string };
let film: Buffer;
beforeEach(async () => {
  server = await startServer();
  to = { url: server.url, cookie: await signUp(server) };
  film = await readFile(join(MEDIA, 'index-last.mp4'));
});
afterEach(() => server.stop());

async function sent(): Promise<string> {
  const id = idOf(await announce(to, film.length, { slot: 'video', filename: 'film.mp4' }));
  expect((await send(to, id, 0, film)).status).toBe(204);
  return id;
}

/** Replaces functions of the storage. Returns a function that restores them. */
function between(change: Partial<Storage>): () => void {
  const { storage } = server.deps;
  server.deps.storage = { ...storage, ...change };
  return () => void (server.deps.storage = storage);
}

const videos = async () =>
  (await call(server.url, 'GET', '/admin/media/video', undefined, { cookie: to.cookie })).body;
const leftovers = () => readdir(join(server.deps.env.DATA_DIR, 'uploads'));

describe('storing a file', () => {
  test('reports a full disk, and succeeds on a retry with free space', async () => {
    // The disk's real free space changes by more than the length of this film.
    const FREE = 10 * DISK_SPACE.low;
    const { jobs, folder } = server.deps.uploads;
    const { freeBytes } = folder;
    folder.freeBytes = async () => FREE;
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
    const back = between({ put: () => Promise.reject(new StorageUnavailable('full', { cause: full })) });
    const id = await sent();
    for (let again = 0; again < 2; again += 1) {
      const refused = await finish(to, id);
      expect([refused.status, refused.body.codice]).toEqual([507, 'STORAGE_FULL']);
    }
    expect(await videos()).toEqual([]);
    await expect.poll(() => jobs.find(id)).toBeUndefined();
    expect(jobs.freeWhenFull.get(id)).toBe(FREE);
    const begunWith = async (free: number) => {
      folder.freeBytes = async () => free;
      await processCompleted(server.deps);
      return jobs.find(id) !== undefined;
    };
    // It restarts automatically only when there is more space than that, not in vain every minute.
    expect(await begunWith(FREE)).toBe(false);
    expect(await begunWith(FREE + 2 * film.length)).toBe(true);
    await jobs.find(id)?.end;
    Object.assign(folder, { freeBytes });
    back();
    expect((await finish(to, id)).body.state).toBe('done');
    expect(await leftovers()).toEqual([]);
  });

  test('returns 503 while the storage fails, and loses nothing', async () => {
    const back = between({ put: () => Promise.reject(new StorageUnavailable('broken')) });
    const id = await sent();
    const refused = await finish(to, id);
    expect([refused.status, refused.body.codice]).toEqual([503, 'UNAVAILABLE']);
    back();
    expect((await finish(to, id)).body.state).toBe('done');
  });

  test('reports an unexpected error with an id, and starts again on the next request', async () => {
    const back = between({ put: () => Promise.reject(new TypeError('a mistake of ours')) });
    const id = await sent();
    const failed = await finish(to, id);
    expect([failed.status, failed.body.codice]).toEqual([500, 'INTERNAL']);
    expect(server.logged()).toContain('a mistake of ours');
    // A job that would only fail again isn't restarted automatically.
    const { jobs } = server.deps.uploads;
    await expect.poll(() => jobs.find(id)).toBeUndefined();
    await processCompleted(server.deps);
    expect(jobs.find(id)).toBeUndefined();
    back();
    expect((await finish(to, id)).body.state).toBe('done');
  });

  test('stops the check when cancelled, and leaves nothing of the file', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { put } = server.deps.storage;
    between({
      async put(key, content) {
        begun.resolve();
        await release.promise;
        return put(key, content);
      },
    });
    const id = await sent();
    const asked = finish(to, id);
    let cancelled: ReturnType<typeof cancel> | undefined;
    try {
      await begun.promise;
      cancelled = cancel(to, id);
      await expect.poll(() => server.deps.uploads.jobs.find(id)?.signal.aborted).toBe(true);
    } finally {
      // Otherwise the server's stop would wait for it after a failure.
      release.resolve();
    }
    expect((await cancelled)?.status).toBe(204);
    expect((await asked).body.codice).toBe('NOT_FOUND');
    expect([await videos(), await leftovers()]).toEqual([[], []]);
    for await (const key of server.deps.storage.keys()) throw new Error(`${key} stayed`);
  });
});

describe('receiving bytes', () => {
  test.each([
    [0, 507, 'STORAGE_FULL'],
    [2 ** 40, 503, 'UNAVAILABLE'],
  ])(
    'answers a write that fails with %s bytes free with %s %s, and keeps earlier bytes',
    async (free, status, codice) => {
      const id = idOf(await announce(to, film.length, { slot: 'video', filename: 'film.mp4' }));
      await send(to, id, 0, film.subarray(0, 1_000));
      const { folder } = server.deps.uploads;
      const [write, room] = [folder.store.write, folder.freeBytes];
      folder.store.write = () => Promise.reject(ERRORS.FILE_WRITE_ERROR);
      folder.freeBytes = async () => free;
      const refused = await send(to, id, 1_000, film.subarray(1_000));
      expect([refused.status, refused.body.codice]).toEqual([status, codice]);
      Object.assign(folder, { freeBytes: room });
      folder.store.write = write;
      expect(await offsetOf(to, id)).toBe(1_000);
      expect((await send(to, id, 1_000, film.subarray(1_000))).status).toBe(204);
      expect((await finish(to, id)).body.state).toBe('done');
    },
  );
});
