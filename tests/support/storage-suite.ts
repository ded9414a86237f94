import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readEnv } from '../../src/server/env.ts';
import { openStorage } from '../../src/server/storage/open.ts';
import { FileMissing, type OpenFile, type Storage } from '../../src/server/storage/storage.ts';

const MIB = 1024 * 1024;

const NO_KEYS = ['', '..', '../a', 'a\\b', '.hidden', 'a.b.c', 'a\0b', 'à', 'a.', 'a\n', 'a'.repeat(301)];

/** Returns the keys of a storage, sorted. */
export async function keysOf(storage: Storage): Promise<string[]> {
  const found: string[] = [];
  for await (const key of storage.keys()) found.push(key);
  return found.toSorted();
}

async function chunksOf(stream: Readable): Promise<Buffer[]> {
  const read: Buffer[] = [];
  for await (const chunk of stream) read.push(chunk as Buffer);
  return read;
}

/**
 * Tests that apply to every storage. Call inside a `describe`.
 * @param where returns the settings of an empty storage
 */
export function storageSuite(where: () => Promise<Record<string, string>>): void {
  let folder: string;
  let again: () => Promise<Storage>;
  let storage: Storage;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sorpresa-files-'));
    const env = readEnv({ DATA_DIR: folder, ...(await where()) });
    again = () => openStorage(env);
    storage = await again();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = (key: string, bytes: Buffer) =>
    storage.put(key, Readable.from([bytes.subarray(0, 70_001), bytes.subarray(70_001)]));
  const get = async (key: string) => Buffer.concat(await chunksOf(await storage.read(key)));
  const keys = () => keysOf(storage);

  it('returns files with their size and hash, in chunks of 1 MiB at most', async () => {
    const bytes = randomBytes(3 * MIB + 17);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await put('video_1.mp4', bytes)).toEqual({ size: bytes.length, sha256 });
    expect(await storage.size('video_1.mp4')).toBe(bytes.length);
    const chunks = await chunksOf(await storage.read('video_1.mp4'));
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    const sizes = chunks.map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MIB);
    expect(sizes.length).toBeLessThan(32);
    expect(await put('empty', Buffer.alloc(0))).toMatchObject({ size: 0 });
    expect(await get('empty')).toEqual(Buffer.alloc(0));
    expect(await storage.put('text.txt', Readable.from(['perché ', 'sì']))).toMatchObject({ size: 11 });
    expect((await get('text.txt')).toString()).toBe('perché sì');
    expect(await keys()).toEqual(['empty', 'text.txt', 'video_1.mp4']);
    await storage.check();
    expect(await keys()).toHaveLength(3);
  });

  it('reports a missing file, and refuses invalid keys', async () => {
    expect(await storage.size('nothing.mp4')).toBeNull();
    await storage.remove('nothing.mp4');
    for (const ask of [storage.read, storage.open])
      await expect(ask('nothing.mp4')).rejects.toBeInstanceOf(FileMissing);
    await expect(storage.withLocalPath('nothing.bin', async () => null)).rejects.toBeInstanceOf(FileMissing);
    for (const key of NO_KEYS) {
      const content = Readable.from(['x']);
      await expect(storage.put(key, content), key).rejects.toBeInstanceOf(TypeError);
      for (const ask of [storage.size, storage.read, storage.open, storage.remove])
        await expect(ask(key), key).rejects.toBeInstanceOf(TypeError);
    }
    expect(await keys()).toEqual([]);
  });

  it('never mixes the bytes of a file with those of the next one under its name', async () => {
    const [old, fresh] = [randomBytes(4 * MIB), randomBytes(MIB)];
    const part = async (file: OpenFile, start: number) => {
      const into = Buffer.alloc(1_000);
      return into.subarray(0, await file.read(into, start));
    };
    /** On a disk an open file can be read to its end; elsewhere it is missing after its replacement. */
    const isStill = async (file: OpenFile, bytes: Buffer, start: number) => {
      if (storage.isOnDisk)
        expect((await part(file, start)).equals(bytes.subarray(start, start + 1_000))).toBe(true);
      else await expect(part(file, start)).rejects.toBeInstanceOf(FileMissing);
    };
    await put('a.bin', old);
    const [first, second] = [await storage.open('a.bin'), await storage.open('a.bin')];
    first.close();
    first.close();
    expect((await part(second, 4 * MIB - 3)).equals(old.subarray(-3))).toBe(true);
    expect(await part(second, 4 * MIB)).toHaveLength(0);
    const stream = await storage.read('a.bin');
    await put('a.bin', fresh);
    const reading = chunksOf(stream).then((chunks) => Buffer.concat(chunks));
    if (storage.isOnDisk) expect((await reading).equals(old)).toBe(true);
    else await expect(reading).rejects.toBeInstanceOf(FileMissing);
    const third = await storage.open('a.bin');
    await isStill(second, old, 0);
    expect((await part(third, 0)).equals(fresh.subarray(0, 1_000))).toBe(true);
    await storage.remove('a.bin');
    expect(await storage.size('a.bin')).toBeNull();
    await isStill(third, fresh, 7);
    for (const ask of [storage.open, storage.read])
      await expect(ask('a.bin')).rejects.toBeInstanceOf(FileMissing);
    second.close();
    third.close();
  });

  it('provides the complete file at a local path during the callback', async () => {
    const bytes = randomBytes(2 * MIB + 3);
    await put('a.bin', bytes);
    const localPath = await storage.withLocalPath('a.bin', async (path) => {
      expect((await readFile(path)).equals(bytes)).toBe(true);
      return path;
    });
    expect(existsSync(localPath)).toBe(storage.isOnDisk);
    const failing = storage.withLocalPath('a.bin', () => Promise.reject(new RangeError('no film')));
    await expect(failing).rejects.toThrow('no film');
  });

  it('keeps the identity that was written first, for every node', async () => {
    expect(await storage.identity.find()).toBeNull();
    const opened = await Promise.all(Array.from({ length: 6 }, again));
    const claimed = await Promise.all(opened.map(({ identity }, n) => identity.claim(`node-${n}`)));
    const first = await storage.identity.find();
    expect(new Set(claimed)).toEqual(new Set([first]));
    expect(await storage.identity.claim('late')).toBe(first);
    await storage.identity.replace('moved');
    expect(await (await again()).identity.find()).toBe('moved');
    expect(await keys()).toEqual([]);
  });

  it('shows a file only once it is complete, and leaves nothing of a failed one', async () => {
    const content = async function* (error?: Error) {
      yield randomBytes(MIB);
      expect([await storage.size('a.bin'), await keys()]).toEqual([null, []]);
      if (error) throw error;
      yield randomBytes(1);
    };
    const cut = new RangeError('the line was cut');
    await expect(storage.put('a.bin', Readable.from(content(cut)))).rejects.toEqual(cut);
    const aborted = new Readable({ read() {} });
    aborted.push(randomBytes(10));
    const storing = storage.put('b.bin', aborted);
    setImmediate(() => aborted.destroy());
    await expect(storing).rejects.toThrow();
    expect(await keys()).toEqual([]);
    await storage.put('a.bin', Readable.from(content()));
    expect(await storage.size('a.bin')).toBe(MIB + 1);
  });

  it('keeps one of two files that are written concurrently', async () => {
    const [one, two] = [randomBytes(MIB), randomBytes(MIB)];
    await Promise.all([put('a.bin', one), put('a.bin', two)]);
    const stored = await get('a.bin');
    expect([one, two].some((bytes) => bytes.equals(stored))).toBe(true);
    expect(await keys()).toEqual(['a.bin']);
  });
}
