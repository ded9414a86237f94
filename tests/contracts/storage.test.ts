import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DISK_SPACE } from '../../src/domain/limits.ts';
import { createOpenFiles, diskStorage, renameWithRetry } from '../../src/server/storage/disk.ts';
import { openStorage, type StorageEnv, storageName } from '../../src/server/storage/open.ts';
import { type Storage, StorageUnavailable } from '../../src/server/storage/storage.ts';
import { newFolder } from '../support/server.ts';
import { keysOf, storageSuite } from '../support/storage-suite.ts';

/** tests/long/s3-storage.test.ts runs this suite on a bucket. */
describe('storage suite on a disk', () => storageSuite(async () => ({})));

let directory: string;
let storage: Storage;
beforeEach(async () => {
  directory = await newFolder();
  storage = await diskStorage(directory);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await rm(directory, { recursive: true, force: true });
});

const left = async () => (await readdir(directory)).toSorted();
/** Writes files that were changed this many minutes ago. */
async function writeOld(folder: string, files: Record<string, number>): Promise<void> {
  for (const [name, minutes] of Object.entries(files)) {
    const then = new Date(Date.now() - minutes * 60_000);
    await writeFile(join(folder, name), 'x');
    await utimes(join(folder, name), then, then);
  }
}

describe('disk storage', () => {
  it('leaves no partial file after a failed write or a check', async () => {
    const cut = async function* () {
      yield Buffer.alloc(1_000_000);
      expect(await left()).toHaveLength(1);
      throw new Error('cut');
    };
    await expect(storage.put('a.bin', Readable.from(cut()))).rejects.toThrow('cut');
    await storage.check();
    expect(await left()).toEqual([]);
  });

  it('deletes partial files after an hour, or at once if no other process writes', async () => {
    await writeOld(directory, {
      '.old.mp4.aa.part': 61,
      '.young.mp4.bb.part': 59,
      '.gitkeep': 180,
      'a.mp4': 180,
    });
    await mkdir(join(directory, 'folder.d'));
    expect([await keysOf(storage), await storage.size('folder.d')]).toEqual([['a.mp4'], null]);
    expect(await left()).toEqual(['.gitkeep', '.young.mp4.bb.part', 'a.mp4', 'folder.d']);
    await diskStorage(directory);
    expect(await left()).toHaveLength(4);
    await diskStorage(directory, { alone: true });
    expect(await left()).toEqual(['.gitkeep', 'a.mp4', 'folder.d']);
  });

  it('is unavailable if its folder is missing or has become a file', async () => {
    await rm(directory, { recursive: true });
    await expect(storage.check()).rejects.toBeInstanceOf(StorageUnavailable);
    const content = Readable.from(['x']);
    await expect(storage.put('a.bin', content)).rejects.toBeInstanceOf(StorageUnavailable);
    expect(content.destroyed).toBe(true);
    await writeFile(directory, 'x');
    for (const ask of [() => storage.size('a.bin'), () => storage.open('a.bin'), storage.identity.find])
      await expect(ask()).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('leaves the last 16 MB to the database, and checks the space before each MiB', async () => {
    let free = DISK_SPACE.files;
    let checks = 0;
    const room = async () => {
      checks += 1;
      return free;
    };
    const small = await diskStorage(directory, { room });
    await small.check();
    const pieces = function* (megabytes: number, after = () => {}) {
      for (let n = 0; n < 4 * megabytes; n += 1) yield Buffer.alloc(256 * 1024);
      after();
    };
    await small.put('a.bin', Readable.from(pieces(3)));
    expect(checks).toBe(1 + 3);
    const full = { name: 'StorageUnavailable', cause: { code: 'ENOSPC' } };
    const filling = function* () {
      yield* pieces(1, () => (free -= 1));
      yield* pieces(1);
    };
    await expect(small.put('b.bin', Readable.from(filling()))).rejects.toMatchObject(full);
    await expect(small.put('c.bin', Readable.from(['x']))).rejects.toMatchObject(full);
    await expect(small.check()).rejects.toMatchObject(full);
    expect(await left()).toEqual(['a.bin']);
  });

  it('lets no other user of the machine read a file', async () => {
    await chmod(directory, 0o755);
    await storage.put('a.bin', Readable.from(['x']));
    await (await diskStorage(join(directory, 'made'))).identity.claim('me');
    const modes = ['a.bin', 'made', 'made/.identity'].map(async (name) => {
      const { mode } = await stat(join(directory, name));
      return (mode & 0o777).toString(8);
    });
    expect(await Promise.all(modes)).toEqual(['600', '700', '600']);
  });
});

describe('storage selection', () => {
  let bucket: StorageEnv;
  beforeEach(() => {
    // There is no server: opening sends no request.
    const settings = { S3_ENDPOINT: 'https://s3.example', S3_REGION: 'eu', S3_BUCKET: 'serata' };
    bucket = {
      DATA_DIR: directory,
      ...settings,
      S3_KEY: 'key',
      S3_SECRET: 'secret',
      S3_PATH_STYLE: undefined,
    };
  });

  it('returns a bucket if all S3 settings are present, otherwise the disk', async () => {
    const opened = async (env: StorageEnv) => [(await openStorage(env)).isOnDisk, storageName(env)];
    expect(await opened(bucket)).toEqual([false, 'the bucket serata at https://s3.example']);
    expect(await left()).toEqual([]);
    for (const missing of ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_KEY', 'S3_SECRET'] as const)
      expect(await opened({ ...bucket, [missing]: undefined })).toEqual([true, join(directory, 'media')]);
  });
});

describe('renameWithRetry', () => {
  /** Renames `new` to `old` after this many refusals. */
  async function move(platform: NodeJS.Platform, code: string, refusals: number) {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
    for (const name of ['new', 'old']) await writeFile(join(directory, name), name);
    const attempt = vi.fn(rename);
    for (let n = 0; n < refusals; n += 1)
      attempt.mockRejectedValueOnce(Object.assign(new Error(`${code}: rename`), { code }));
    const end = await renameWithRetry(join(directory, 'new'), join(directory, 'old'), attempt).catch(
      (e) => e.code,
    );
    return { end, tries: attempt.mock.calls.length, old: await readFile(join(directory, 'old'), 'utf8') };
  }

  it('retries on Windows while the file is in use, never elsewhere', async () => {
    expect(await move('win32', 'EPERM', 5)).toEqual({ end: undefined, tries: 6, old: 'new' });
    expect(await left()).toEqual(['old']);
    expect(await move('win32', 'ENOSPC', 1)).toEqual({ end: 'ENOSPC', tries: 1, old: 'old' });
    expect(await move('linux', 'EPERM', 1)).toEqual({ end: 'EPERM', tries: 1, old: 'old' });
  });
});

describe('open file', () => {
  const KEPT = 2_000;
  /** True for each handle that is still open. */
  let opened: boolean[];
  let files: ReturnType<typeof createOpenFiles>;
  beforeEach(() => {
    vi.useFakeTimers();
    [files, opened] = [createOpenFiles(), []];
  });
  async function handle() {
    const n = opened.push(true) - 1;
    const read = async (into: Buffer, at: number, _length: number, position: number) => {
      if (!opened[n]) throw new Error('closed');
      return { bytesRead: into.write(String(n).repeat(3).slice(position), at) };
    };
    return { read, close: async () => void (opened[n] = false) } as never;
  }
  const open = (key = 'a') => files.open(key, handle);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('is opened once for all readers, and closed two seconds after the last one', async () => {
    const [first, second, other] = await Promise.all([open(), open(), open('b')]);
    first.close();
    first.close();
    await pass(10 * KEPT);
    expect(opened).toEqual([true, true]);
    const into = Buffer.alloc(2);
    expect([await second.read(into, 1), into.toString()]).toEqual([2, '00']);
    expect([await other.read(into, 2), into.toString()]).toEqual([1, '10']);
    second.close();
    await pass(KEPT - 1);
    const late = await open();
    await pass(KEPT);
    late.close();
    await pass(KEPT - 1);
    expect(opened).toEqual([true, true]);
    await pass(1);
    expect(opened).toEqual([false, true]);
    await open();
    expect(opened).toEqual([false, true, true]);
  });

  it('is opened again after a failed attempt', async () => {
    await expect(files.open('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    await open();
    expect(opened).toEqual([true]);
  });
});
