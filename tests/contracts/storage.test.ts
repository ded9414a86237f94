import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEnv } from '../../src/server/env.ts';
import { openStorage } from '../../src/server/storage/open.ts';
import { FileMissing, type OpenFile, type Storage } from '../../src/server/storage/storage.ts';
import { takeBucket } from '../support/buckets.ts';

type Place = {
  storage: Storage;
  /** The same place, as another process opens it. */
  again(): Promise<Storage>;
  end(): Promise<void>;
};

/** Every place where files may be kept passes this suite. */
const implementations: [string, () => Promise<Place>][] = [
  ['a disk', () => openPlace({})],
  ['Ceph’s radosgw', async () => openPlace(await takeBucket())],
];

const MIB = 1024 * 1024;

describe.each(implementations)('files on %s', (_name, open) => {
  let place: Place;
  let storage: Storage;
  beforeEach(async () => {
    place = await open();
    storage = place.storage;
  });
  afterEach(() => place.end());

  const put = (key: string, bytes: Buffer) => storage.put(key, inPieces(bytes, 70_001));
  const get = async (key: string, range?: { start: number; end: number }) =>
    Buffer.concat(await chunks(await storage.read(key, range)));
  const keys = async () => {
    const found: string[] = [];
    for await (const key of storage.keys()) found.push(key);
    return found.toSorted();
  };

  it('gives back what was stored, with its size and its fingerprint', async () => {
    const bytes = randomBytes(3 * MIB + 17);
    const stored = await put('video_1.mp4', bytes);
    expect(stored).toEqual({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect(await storage.size('video_1.mp4')).toBe(bytes.length);
    expect((await get('video_1.mp4')).equals(bytes)).toBe(true);
  });

  it('stores an empty file and text', async () => {
    expect(await put('empty', Buffer.alloc(0))).toMatchObject({ size: 0 });
    expect(await get('empty')).toEqual(Buffer.alloc(0));
    expect(await storage.put('text.txt', Readable.from(['perché ', 'sì']))).toMatchObject({ size: 11 });
    expect((await get('text.txt')).toString()).toBe('perché sì');
  });

  it('reads any part of a file, both ends included', async () => {
    const bytes = randomBytes(2 * MIB + 5);
    await put('a.bin', bytes);
    const last = bytes.length - 1;
    const ranges = [
      [0, 0],
      [0, last],
      [last, last],
      [1, MIB],
      [MIB - 1, MIB + 1],
      [7, 2 * MIB],
    ] as const;
    for (const [start, end] of ranges) {
      expect((await get('a.bin', { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true);
    }
    await expect(storage.read('a.bin', { start: 5, end: 4 })).rejects.toBeInstanceOf(RangeError);
    await expect(storage.read('a.bin', { start: -1, end: 4 })).rejects.toBeInstanceOf(RangeError);
  });

  it('hands out chunks of 1 MiB at most, and not many small ones', async () => {
    await put('a.bin', randomBytes(8 * MIB));
    const sizes = (await chunks(await storage.read('a.bin'))).map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MIB);
    expect(sizes.length).toBeLessThan(64);
  });

  it('says when there is no such file', async () => {
    expect(await storage.size('nothing.mp4')).toBeNull();
    await expect(storage.read('nothing.mp4')).rejects.toBeInstanceOf(FileMissing);
    await storage.remove('nothing.mp4');
  });

  it('removes, and a reader already at work gets the rest of it or none', async () => {
    const bytes = randomBytes(4 * MIB);
    await put('a.bin', bytes);
    const reader = await storage.read('a.bin');
    await storage.remove('a.bin');
    expect(await storage.size('a.bin')).toBeNull();
    const read = chunks(reader).then((each) => Buffer.concat(each));
    if (storage.isOnDisk) expect((await read).equals(bytes)).toBe(true);
    else await expect(read).rejects.toBeInstanceOf(FileMissing);
    await expect(storage.read('a.bin')).rejects.toBeInstanceOf(FileMissing);
  });

  it('opens a file for several who read parts of it, and never gives them another one’s bytes', async () => {
    const [old, fresh] = [randomBytes(MIB), randomBytes(MIB)];
    const part = async (file: OpenFile, start: number) => {
      const into = Buffer.alloc(1_000);
      return into.subarray(0, await file.read(into, start));
    };
    /** On a disk who has a file open goes on with it; elsewhere it is missing from then on. */
    const isOld = async (file: OpenFile, bytes: Buffer, start: number) => {
      if (storage.isOnDisk)
        expect((await part(file, start)).equals(bytes.subarray(start, start + 1_000))).toBe(true);
      else await expect(part(file, start)).rejects.toBeInstanceOf(FileMissing);
    };
    await put('a.bin', old);
    const [first, second] = [await storage.open('a.bin'), await storage.open('a.bin')];
    first.close();
    first.close();
    expect((await part(second, 500)).equals(old.subarray(500, 1_500))).toBe(true);
    expect((await part(second, MIB - 3)).equals(old.subarray(MIB - 3))).toBe(true);
    expect(await part(second, MIB)).toHaveLength(0);
    await put('a.bin', fresh);
    const third = await storage.open('a.bin');
    await isOld(second, old, 0);
    expect((await part(third, 0)).equals(fresh.subarray(0, 1_000))).toBe(true);
    await storage.remove('a.bin');
    await isOld(third, fresh, 7);
    await expect(storage.open('a.bin')).rejects.toBeInstanceOf(FileMissing);
    second.close();
    third.close();
  });

  it('lends the whole file by a path for as long as somebody works on it', async () => {
    const bytes = randomBytes(2 * MIB + 3);
    await put('a.bin', bytes);
    const lent = await storage.lend('a.bin', async (path) => {
      expect((await readFile(path)).equals(bytes)).toBe(true);
      return path;
    });
    expect(existsSync(lent)).toBe(storage.isOnDisk);
    await expect(storage.lend('a.bin', () => Promise.reject(new RangeError('no film')))).rejects.toThrow(
      'no film',
    );
    await expect(storage.lend('nothing.bin', () => Promise.resolve())).rejects.toBeInstanceOf(FileMissing);
  });

  it('is known by what was written there first, wherever it is opened', async () => {
    expect(await storage.identity.find()).toBeNull();
    const opened = await Promise.all(Array.from({ length: 6 }, () => place.again()));
    const claimed = await Promise.all(opened.map(({ identity }, n) => identity.claim(`node-${n}`)));
    const first = await storage.identity.find();
    expect(new Set(claimed)).toEqual(new Set([first]));
    expect(await storage.identity.claim('late')).toBe(first);
    await storage.identity.replace('moved');
    expect(await (await place.again()).identity.find()).toBe('moved');
    expect(await keys()).toEqual([]);
  });

  it('shows a file only when it is whole', async () => {
    const { promise: rest, resolve: finish } = Promise.withResolvers<void>();
    const content = async function* () {
      yield randomBytes(MIB);
      expect([await storage.size('a.bin'), await keys()]).toEqual([null, []]);
      await rest;
      yield randomBytes(1);
    };
    const storing = storage.put('a.bin', Readable.from(content()));
    finish();
    await storing;
    expect(await storage.size('a.bin')).toBe(MIB + 1);
  });

  it('keeps nothing of a stream that fails, and rejects with its error', async () => {
    await expect(storage.put('a.bin', Readable.from(cut()))).rejects.toEqual(
      new RangeError('the line was cut'),
    );
    const gone = new Readable({ read() {} });
    gone.push(randomBytes(10));
    const storing = storage.put('b.bin', gone);
    setImmediate(() => gone.destroy());
    await expect(storing).rejects.toThrow();
    expect(await keys()).toEqual([]);
  });

  it('replaces a file as a whole, also when two write at once', async () => {
    await put('a.bin', Buffer.from('old'));
    const [one, two] = [randomBytes(MIB), randomBytes(MIB)];
    await Promise.all([put('a.bin', one), put('a.bin', two)]);
    const kept = await get('a.bin');
    expect([one, two].some((bytes) => bytes.equals(kept))).toBe(true);
    expect(await keys()).toEqual(['a.bin']);
  });

  it('lists every key', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `f${String(n).padStart(2, '0')}.pdf`);
    await Promise.all(names.map((name) => put(name, Buffer.from(name))));
    expect(await keys()).toEqual(names);
  });

  it.each([
    '',
    '.',
    '..',
    '../a',
    'a/b',
    'a\\b',
    '/etc/passwd',
    '.hidden',
    'a.b.c',
    'a\0b',
    'à',
    'a b',
    `${'a'.repeat(300)}.mp4`,
    'a.',
    'a\n',
  ])('refuses the key %j', async (key) => {
    const content = Readable.from(['x']);
    await expect(storage.put(key, content)).rejects.toBeInstanceOf(TypeError);
    await expect(storage.size(key)).rejects.toBeInstanceOf(TypeError);
    await expect(storage.read(key)).rejects.toBeInstanceOf(TypeError);
    await expect(storage.remove(key)).rejects.toBeInstanceOf(TypeError);
    expect(await keys()).toEqual([]);
  });

  it('can be checked, and leaves no trace of it', async () => {
    await storage.check();
    expect(await keys()).toEqual([]);
  });
});

async function* cut(): AsyncGenerator<Buffer> {
  yield randomBytes(MIB);
  throw new RangeError('the line was cut');
}

async function openPlace(where: Record<string, string>): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-files-'));
  const again = () => openStorage(readEnv({ DATA_DIR: folder, ...where }));
  return { storage: await again(), again, end: () => rm(folder, { recursive: true, force: true }) };
}

function inPieces(bytes: Buffer, size: number): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
  return Readable.from(pieces, { objectMode: false });
}

async function chunks(stream: Readable): Promise<Buffer[]> {
  const read: Buffer[] = [];
  for await (const chunk of stream) read.push(chunk as Buffer);
  return read;
}
