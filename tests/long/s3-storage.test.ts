import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CreateMultipartUploadCommand,
  type HeadBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isDiskFull } from '../../src/server/db/errors.ts';
import { isServiceUnavailable } from '../../src/server/http/refusals.ts';
import { openObject, putObject, s3Storage } from '../../src/server/storage/s3.ts';
import { type Bucket, openBucket, type S3Settings, s3Name } from '../../src/server/storage/s3-bucket.ts';
import { FileMissing, type Storage, StorageUnavailable } from '../../src/server/storage/storage.ts';
import { takeBucket } from '../support/buckets.ts';
import { inParallel } from '../support/parallel.ts';
import { type BucketEnv, s3Client } from '../support/radosgw.ts';
import { storageSuite } from '../support/storage-suite.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

/** The suite of all storages, and the behaviour of S3. */

const MIB = 1024 ** 2;
const PART = 16 * MIB;
const DAY = 24 * 3_600_000;

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += 70_001) yield bytes.subarray(from, from + 70_001);
}
const noCopies = () => Promise.reject(new TypeError('Nothing is lent here'));
const at = (settings: S3Settings, now?: () => number) =>
  s3Storage(settings, { copies: noCopies, ...(now && { now }) });

describe('storage suite on Ceph’s radosgw', () => storageSuite(takeBucket));

describe('bucket behind a proxy', () => {
  let env: BucketEnv;
  let line: TcpProxy;
  let storage: Storage;
  beforeEach(async () => {
    env = await takeBucket();
    line = await tcpProxy(Number(new URL(env.S3_ENDPOINT).port));
    onTestFinished(line.close);
    storage = at(settings({ endpoint: `http://127.0.0.1:${line.port}` }));
  });
  const settings = (change: Partial<S3Settings> = {}): S3Settings => ({
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    bucket: env.S3_BUCKET,
    key: env.S3_KEY,
    secret: env.S3_SECRET,
    pathStyle: true,
    ...change,
  });
  const put = (key: string, bytes: Buffer) => storage.put(key, Readable.from(pieces(bytes)));
  const left = async () => {
    const [client, Bucket] = [s3Client(env), env.S3_BUCKET];
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    return { objects: Contents.map(({ Key }) => Key), uploads: Uploads.map(({ Key }) => Key) };
  };

  test('stores a file of several parts only under its name, and nothing of one that fails in a later part', async () => {
    const bytes = randomBytes(37 * MIB + 11);
    expect((await put('film.mp4', bytes)).size).toBe(bytes.length);
    expect((await buffer(await storage.read('film.mp4'))).equals(bytes)).toBe(true);
    expect(await left()).toEqual({ objects: ['media/film.mp4'], uploads: [] });
    const content = async function* () {
      yield randomBytes(20 * MIB);
      await expect.poll(left).toMatchObject({ uploads: ['media/cut.mp4'] });
      throw new RangeError('the line was cut');
    };
    await expect(storage.put('cut.mp4', Readable.from(content()))).rejects.toThrow('the line was cut');
    expect(await left()).toEqual({ objects: ['media/film.mp4'], uploads: [] });
  });

  test('deletes parts that a crash left after a day, but not those of others', async () => {
    for (const Key of ['media/film.mp4', 'somebody-else'])
      await s3Client(env).send(new CreateMultipartUploadCommand({ Bucket: env.S3_BUCKET, Key }));
    const look = async (ms: number) => {
      for await (const key of at(settings(), () => Date.now() + ms).keys()) expect(key).toBe('');
      return (await left()).uploads;
    };
    expect(await look(DAY - 3_600_000)).toEqual(['media/film.mp4', 'somebody-else']);
    expect(await look(DAY + 3_600_000)).toEqual(['somebody-else']);
  });

  test('lists every key over any number of pages', async () => {
    const names = Array.from({ length: 1_003 }, (_, n) => `f${String(n).padStart(4, '0')}.pdf`);
    await inParallel(
      names.map((name) => () => put(name, Buffer.from('x'))),
      16,
    );
    const found: string[] = [];
    for await (const key of storage.keys()) found.push(key);
    expect(found.toSorted()).toEqual(names);
  });

  test('reads no more than requested, and ends a transfer when its reader leaves', async () => {
    await put('film.mp4', randomBytes(12 * MIB));
    const file = await storage.open('film.mp4');
    const before = line.brought();
    expect(await file.read(Buffer.alloc(1_000), 5 * MIB)).toBe(1_000);
    // Includes the headers of the replies.
    expect(line.brought() - before).toBeLessThan(9_000);
    const stream = await storage.read('film.mp4');
    line.set('silent');
    const reading = file.read(Buffer.alloc(MIB), 0);
    file.close();
    // Rejects at once, not after the timeout.
    await expect(reading).rejects.toThrow(/^(?!.*no answer within)/);
    stream.resume();
    stream.destroy();
    line.set('pass');
    const brought = line.brought();
    await storage.check();
    expect(line.brought() - brought).toBeLessThan(MIB);
  });

  test('is unavailable while the connection is cut, and available again afterwards', async () => {
    await put('film.mp4', randomBytes(2 * MIB));
    const file = await storage.open('film.mp4');
    line.set('cut');
    const asked = [
      file.read(Buffer.alloc(MIB), 0),
      storage.open('film.mp4'),
      storage.size('film.mp4'),
      storage.check(),
      storage.remove('film.mp4'),
      storage.identity.find(),
      put('other.mp4', randomBytes(17 * MIB)),
    ];
    for (const each of await Promise.allSettled(asked)) {
      const error: unknown = each.status === 'rejected' ? each.reason : null;
      expect([error instanceof StorageUnavailable, isServiceUnavailable(error)]).toEqual([true, true]);
    }
    line.set('pass');
    expect(await file.read(Buffer.alloc(MIB), 0)).toBe(MIB);
    expect(await left()).toEqual({ objects: ['media/film.mp4'], uploads: [] });
  });

  test('explains that it can’t be used with a wrong secret', async () => {
    const other = at(settings({ secret: 'wrong' }));
    await expect(other.identity.claim('x')).rejects.toThrow(
      /^The bucket \S+ at http:\/\/127\.0\.0\.1:\d+ can't be used \(SignatureDoesNotMatch/,
    );
    await expect(other.check()).rejects.toBeInstanceOf(StorageUnavailable);
  });
});

test('is unavailable as soon as its server takes too long', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = { endpoint, region: 'x', bucket: 'bucket', key: 'k', secret: 's', pathStyle: true };
  const list = new ListObjectsV2Command({ Bucket: 'bucket' });
  const asked = openBucket(place).send(list, { timeoutMs: 50 });
  await expect(asked).rejects.toThrow(/can't be used \(no answer within 50 ms/);
  await expect(asked).rejects.toBeInstanceOf(StorageUnavailable);
});

/** Returns a bucket whose server gives these replies, by the name of the command. */
function bucketWith(answers: Record<string, (input: Record<string, unknown>) => unknown>) {
  const names: string[] = [];
  const bucket: Bucket = {
    name: 'serata',
    async send(command, _limits, read) {
      const name = command.constructor.name.replace('Command', '');
      names.push(name);
      const reply = ((await answers[name]?.(command.input as never)) ?? {}) as never;
      return read === undefined ? reply : read(reply);
    },
  };
  return { bucket, names };
}

describe('stored file', () => {
  test.each([
    [0, [0]],
    [PART, [PART]],
    [PART + 1, [PART, 1]],
    [2 * PART + 3, [PART, PART, 3]],
  ])(
    'of %i bytes is sent as one object up to a part, and in equal parts beyond, the last one smaller',
    async (bytes, sizes) => {
      const stored: number[] = [];
      const size = ({ Body }: Record<string, unknown>) => stored.push((Body as Buffer).length);
      const { bucket, names } = bucketWith({
        PutObject: size,
        CreateMultipartUpload: () => ({ UploadId: 'one' }),
        UploadPart: size,
      });
      const put = await putObject(bucket, 'media/a', Readable.from(pieces(Buffer.alloc(bytes, 1))));
      expect([put.size, stored]).toEqual([bytes, sizes]);
      expect(names.includes('PutObject')).toBe(sizes.length === 1);
    },
  );

  test('fails with its own error, even if its parts can’t be deleted', async () => {
    const { bucket, names } = bucketWith({
      CreateMultipartUpload: () => ({ UploadId: 'one' }),
      UploadPart: () => Promise.reject(new Error('no line')),
      AbortMultipartUpload: () => Promise.reject(new Error('no line either')),
    });
    const content = Readable.from(pieces(Buffer.alloc(2 * PART)));
    await expect(putObject(bucket, 'media/a', content)).rejects.toThrow(/^no line$/);
    expect(names).toEqual(['CreateMultipartUpload', 'UploadPart', 'AbortMultipartUpload']);
  });
});

test('is unavailable if fewer or more bytes of an object arrive, and accepts them in pieces', async () => {
  const length = async (...sizes: number[]) => {
    const { bucket } = bucketWith({
      HeadObject: () => ({ ContentLength: 2 * MIB, ETag: '"x"' }),
      GetObject: () => ({ Body: Readable.from(sizes.map((size) => Buffer.alloc(size, 7))) }),
    });
    const into = Buffer.alloc(100);
    const file = await openObject(bucket, 'media/a');
    return [await file.read(into, 0), into.every((byte) => byte === 7)];
  };
  expect(await length(60, 40)).toEqual([100, true]);
  await expect(length(60, 39)).rejects.toThrow(/^Fewer bytes/);
  await expect(length(60, 41)).rejects.toThrow(/^More bytes/);
});

describe('error reply', () => {
  const place = { endpoint: 'http://127.0.0.1:9', region: 'eu', bucket: 'serata', key: 'k', secret: 's' };
  const bucket = openBucket({ ...place, pathStyle: true });
  /** Returns the error that the failure of a request is mapped to. */
  const meaning = (failure: unknown): Promise<unknown> => {
    const command = { resolveMiddleware: () => () => Promise.reject(failure as Error) };
    return bucket.send(command as unknown as HeadBucketCommand).catch((reason: unknown) => reason);
  };
  const named = (name: string) => Object.assign(new Error('said'), { name });

  test('is mapped to a missing file, a full disk or an unavailable storage', async () => {
    for (const name of ['NoSuchKey', 'NotFound', 'NoSuchUpload', 'PreconditionFailed'])
      expect(await meaning(named(name))).toBeInstanceOf(FileMissing);
    for (const name of ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'StorageFull']) {
      const error = await meaning(named(name));
      expect([error instanceof StorageUnavailable, isDiskFull(error)]).toEqual([true, true]);
    }
    const denied = await meaning(named('AccessDenied'));
    expect([denied instanceof StorageUnavailable, isDiskFull(denied)]).toEqual([true, false]);
    expect(String(denied)).toContain("can't be used (AccessDenied, said).");
    expect(s3Name(denied)).toBe('AccessDenied');
    const refused = await meaning(Object.assign(new Error(''), { code: 'ECONNREFUSED' }));
    expect(String(refused)).toContain("can't be used (ECONNREFUSED).");
    const own = new FileMissing('x');
    expect(await meaning(own)).toBe(own);
  });
});
