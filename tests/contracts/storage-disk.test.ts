import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DISK_ROOM } from '../../src/domain/limits.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import { type Storage, StorageUnavailable } from '../../src/server/storage/storage.ts';

let directory: string;
let storage: Storage;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sorpresa-files-'));
  storage = await diskStorage(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('leaves no part of a failed upload behind', async () => {
  const cut = async function* () {
    yield Buffer.alloc(1_000_000);
    expect(await readdir(directory)).toHaveLength(1);
    throw new Error('cut');
  };
  await expect(storage.put('a.bin', Readable.from(cut()))).rejects.toThrow('cut');
  await storage.check();
  expect(await readdir(directory)).toEqual([]);
});

it('clears parts left by a crash, but not those being written, nor what is not its own', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  for (const [name, minutes] of [
    ['.old.mp4.aa.part', 61],
    ['.young.mp4.bb.part', 59],
    ['.gitkeep', 180],
    ['a.mp4', 180],
  ] as const) {
    await writeFile(join(directory, name), 'x');
    await utimes(join(directory, name), ago(minutes), ago(minutes));
  }
  const keys: string[] = [];
  for await (const key of storage.keys()) keys.push(key);
  expect(keys).toEqual(['a.mp4']);
  expect((await readdir(directory)).toSorted()).toEqual(['.gitkeep', '.young.mp4.bb.part', 'a.mp4']);
});

it('is known by what was written first, also to one that found nothing yet and is slower at writing', async () => {
  const other = await diskStorage(directory);
  // So long that it takes longer to write than everything the other does.
  const late = storage.identity.claim('l'.repeat(32 * 1024 * 1024));
  expect(await other.identity.claim('first')).toBe('first');
  expect((await late) === 'first').toBe(true);
  expect(await readdir(directory)).toEqual(['.identity']);
});

it('clears at once what a crash left where nobody else writes', async () => {
  for (const name of ['.young.mp4.bb.part', '.gitkeep', 'a.mp4']) await writeFile(join(directory, name), 'x');
  await diskStorage(directory);
  expect(await readdir(directory)).toHaveLength(3);
  await diskStorage(directory, { alone: true });
  expect((await readdir(directory)).toSorted()).toEqual(['.gitkeep', 'a.mp4']);
});

it('says that it can’t be used when its directory is gone', async () => {
  await rm(directory, { recursive: true });
  await expect(storage.check()).rejects.toBeInstanceOf(StorageUnavailable);
  const content = Readable.from(['x']);
  await expect(storage.put('a.bin', content)).rejects.toBeInstanceOf(StorageUnavailable);
  expect(content.destroyed).toBe(true);
});

it('leaves the last 16 MB to the database: what comes beside is refused, and nothing of it kept', async () => {
  let free = DISK_ROOM.files;
  const small = await diskStorage(directory, { room: async () => free });
  await small.check();
  await small.put('a.bin', Readable.from([Buffer.alloc(10)]));
  free -= 1;
  const full = { name: 'StorageUnavailable', cause: { code: 'ENOSPC' } };
  await expect(small.check()).rejects.toMatchObject(full);
  await expect(small.put('b.bin', Readable.from([Buffer.alloc(10)]))).rejects.toMatchObject(full);
  expect(await readdir(directory)).toEqual(['a.bin']);
});

it('looks for room before each MiB, not at each piece', async () => {
  let looks = 0;
  let free = Infinity;
  const room = async () => {
    looks += 1;
    return free;
  };
  const small = await diskStorage(directory, { room });
  const pieces = function* (megabytes: number) {
    for (let n = 0; n < 4 * megabytes; n += 1) yield Buffer.alloc(256 * 1024);
  };
  await small.put('a.bin', Readable.from(pieces(3)));
  expect(looks).toBe(3);
  const filling = function* () {
    yield* pieces(1);
    free = 0;
    yield* pieces(1);
  };
  await expect(small.put('b.bin', Readable.from(filling()))).rejects.toBeInstanceOf(StorageUnavailable);
  expect(await readdir(directory)).toEqual(['a.bin']);
});

it('takes a folder for no file, and a folder that has become a file for trouble', async () => {
  await mkdir(join(directory, 'folder.d'));
  const keys: string[] = [];
  for await (const key of storage.keys()) keys.push(key);
  expect([keys, await storage.size('folder.d')]).toEqual([[], null]);
  await rm(directory, { recursive: true });
  await writeFile(directory, 'x');
  for (const ask of [() => storage.size('a.bin'), () => storage.open('a.bin'), storage.identity.find])
    await expect(ask()).rejects.toBeInstanceOf(StorageUnavailable);
});

it('leaves nothing beside what it is known by', async () => {
  const two = await Promise.all(
    [storage, await diskStorage(directory)].map(({ identity }, n) => identity.claim(`${n}`)),
  );
  expect(two[0]).toBe(two[1]);
  await storage.identity.replace('other');
  expect([await storage.identity.find(), await readdir(directory)]).toEqual(['other', ['.identity']]);
});

it('lets nobody else on the machine read a file', async () => {
  await chmod(directory, 0o755);
  await storage.put('a.bin', Readable.from(['x']));
  const made = await diskStorage(join(directory, 'made'));
  await made.identity.claim('me');
  for (const [name, mode] of [
    ['a.bin', '600'],
    ['made', '700'],
    ['made/.identity', '600'],
  ] as const) {
    const { stdout } = await promisify(execFile)('stat', ['-c', '%a', join(directory, name)]);
    expect(stdout.trim()).toBe(mode);
  }
});

it('names a disk that takes no more, and keeps nothing of the file', async () => {
  const program = `
    import { Readable } from 'node:stream';
    import { diskStorage } from ${JSON.stringify(new URL('../../src/server/storage/disk.ts', import.meta.url).href)};
    const storage = await diskStorage(process.argv[1]);
    await storage.put('small.bin', Readable.from([Buffer.alloc(1000)]));
    const content = function* () { for (let n = 0; n < 40; n += 1) yield Buffer.alloc(65_536); };
    await storage.put('large.bin', Readable.from(content())).catch((error) => console.log(error.name, error.cause.code));
  `;
  // A file may not grow past 1 MiB (ulimit counts blocks of 1,024 bytes).
  const limited = [
    '-c',
    'ulimit -f 1024 && exec "$@"',
    'bash',
    process.execPath,
    '--input-type=module-typescript',
    '-e',
    program,
    directory,
  ];
  const { stdout } = await promisify(execFile)('bash', limited);
  expect(stdout.trim()).toBe('StorageUnavailable EFBIG');
  expect(await readdir(directory)).toEqual(['small.bin']);
});
