import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isNoRoom } from '../../src/server/db/errors.ts';
import { isOutage } from '../../src/server/http/outage.ts';
import { s3Storage } from '../../src/server/storage/s3.ts';
import { openBucket, type S3Settings } from '../../src/server/storage/s3-bucket.ts';
import { type Storage, StorageUnavailable } from '../../src/server/storage/storage.ts';
import { takeBucket } from '../support/buckets.ts';
import { type BucketEnv, s3Client } from '../support/radosgw.ts';
import { storageSuite } from '../support/storage-suite.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

/** What every storage does, and what is S3's own. */

const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

const settingsOf = (env: BucketEnv, change: Partial<S3Settings> = {}): S3Settings => ({
  endpoint: env.S3_ENDPOINT,
  region: env.S3_REGION,
  bucket: env.S3_BUCKET,
  key: env.S3_KEY,
  secret: env.S3_SECRET,
  pathStyle: true,
  ...change,
});
const noCopies = () => Promise.reject(new TypeError('Nothing is lent here'));
const at = (settings: S3Settings, now?: () => number) =>
  s3Storage(settings, { copies: noCopies, ...(now && { now }) });

describe('files on Ceph’s radosgw', () => storageSuite(takeBucket));

describe('on a bucket behind a line', () => {
  let env: BucketEnv;
  let line: TcpProxy;
  let storage: Storage;
  beforeEach(async () => {
    env = await takeBucket();
    line = await tcpProxy(Number(new URL(env.S3_ENDPOINT).port));
    onTestFinished(line.close);
    storage = at(settingsOf(env, { endpoint: `http://127.0.0.1:${line.port}` }));
  });
  const put = (key: string, bytes: Buffer) => storage.put(key, Readable.from(inPieces(bytes)));
  const left = async () => {
    const client = s3Client(env);
    const Bucket = env.S3_BUCKET;
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    return { objects: Contents.map(({ Key }) => Key), uploads: Uploads.map(({ Key }) => Key) };
  };

  test('a file of several parts is whole, and only under its name', async () => {
    const bytes = randomBytes(37 * MIB + 11);
    const { size } = await put('film.mp4', bytes);
    expect(size).toBe(bytes.length);
    const read: Buffer[] = [];
    for await (const chunk of await storage.read('film.mp4')) read.push(chunk as Buffer);
    expect(Buffer.concat(read).equals(bytes)).toBe(true);
    expect(await left()).toEqual({ objects: ['media/film.mp4'], uploads: [] });
  });

  test('nothing is left of one that is cut in a later part', async () => {
    const content = async function* () {
      yield randomBytes(20 * MIB);
      await expect.poll(left).toEqual({ objects: [], uploads: ['media/film.mp4'] });
      throw new RangeError('the line was cut');
    };
    await expect(storage.put('film.mp4', Readable.from(content()))).rejects.toThrow('the line was cut');
    expect(await left()).toEqual({ objects: [], uploads: [] });
  });

  test('parts that a crash left go after a day, others’ stay', async () => {
    const begin = (Key: string) =>
      s3Client(env).send(new CreateMultipartUploadCommand({ Bucket: env.S3_BUCKET, Key }));
    await begin('media/film.mp4');
    await begin('somebody-else');
    const keys = async (now: number) => {
      for await (const key of at(settingsOf(env), () => now).keys()) expect(key).toBe('');
    };
    await keys(Date.now() + DAY_MS - 3_600_000);
    expect((await left()).uploads).toEqual(['media/film.mp4', 'somebody-else']);
    await keys(Date.now() + DAY_MS + 3_600_000);
    expect((await left()).uploads).toEqual(['somebody-else']);
  });

  test('every key is listed, however many pages they are', async () => {
    const names = Array.from({ length: 1_003 }, (_, n) => `f${String(n).padStart(4, '0')}.pdf`);
    const waiting = [...names];
    const work = async () => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
        await put(name, Buffer.from('x'));
    };
    await Promise.all(Array.from({ length: 16 }, work));
    const found: string[] = [];
    for await (const key of storage.keys()) found.push(key);
    expect(found.toSorted()).toEqual(names);
  });

  test('no more is fetched than was asked for', async () => {
    await put('film.mp4', randomBytes(12 * MIB));
    const file = await storage.open('film.mp4');
    const before = line.brought();
    expect(await file.read(Buffer.alloc(1_000), 5 * MIB)).toBe(1_000);
    const stream = await storage.read('film.mp4', { start: 3 * MIB, end: 5 * MIB - 1 });
    let length = 0;
    for await (const chunk of stream) length += (chunk as Buffer).length;
    expect(length).toBe(2 * MIB);
    // With what answers say besides.
    expect(line.brought() - before).toBeLessThan(2 * MIB + 1_000 + 8_000);
  });

  test('who leaves ends what is under way', async () => {
    await put('film.mp4', randomBytes(4 * MIB));
    const file = await storage.open('film.mp4');
    const stream = await storage.read('film.mp4');
    line.set('silent');
    const reading = file.read(Buffer.alloc(MIB), 0);
    file.close();
    // At once, and not when it has waited long enough.
    await expect(reading).rejects.toThrow(/^(?!.*no answer within)/);
    stream.resume();
    stream.destroy();
    line.set('pass');
    const before = line.brought();
    await storage.check();
    expect(line.brought() - before).toBeLessThan(MIB);
  });

  test('a line that is cut is an outage, and over when it is back', async () => {
    await put('film.mp4', randomBytes(2 * MIB));
    const file = await storage.open('film.mp4');
    line.set('cut');
    const failed = await Promise.all(
      [
        file.read(Buffer.alloc(MIB), 0),
        storage.open('film.mp4'),
        storage.size('film.mp4'),
        storage.check(),
        storage.remove('film.mp4'),
        storage.identity.find(),
        put('other.mp4', randomBytes(17 * MIB)),
      ].map((each) => each.catch((error: unknown) => error)),
    );
    for (const error of failed) {
      expect(error).toBeInstanceOf(StorageUnavailable);
      expect(isOutage(error)).toBe(true);
    }
    line.set('pass');
    expect(await file.read(Buffer.alloc(MIB), 0)).toBe(MIB);
    expect(await left()).toEqual({ objects: ['media/film.mp4'], uploads: [] });
  });

  test.each([
    ['a wrong key', { key: 'nobody' }, 'InvalidAccessKeyId'],
    ['a wrong secret', { secret: 'wrong' }, 'SignatureDoesNotMatch'],
    ['a bucket that isn’t there', { bucket: 'no-such-bucket' }, 'NoSuchBucket'],
  ])('%s is said in a sentence', async (_what, change, name) => {
    const other = at(settingsOf(env, change));
    await expect(other.identity.claim('x')).rejects.toThrow(
      new RegExp(`^The bucket \\S+ at http://127\\.0\\.0\\.1:\\d+ can't be used \\(${name}`),
    );
    await expect(other.check()).rejects.toBeInstanceOf(StorageUnavailable);
  });
});

/** Settings that lead to a server of ours. */
async function strange(answer: RequestListener): Promise<S3Settings> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, region: 'x', bucket: 'bucket', key: 'k', secret: 's', pathStyle: true };
}

test('a server that takes its time is an outage as soon as that is too long', async () => {
  const bucket = openBucket(await strange(() => undefined));
  const asked = bucket.ask(
    (client, options) => client.send(new ListObjectsV2Command({ Bucket: 'bucket' }), options),
    50,
  );
  await expect(asked).rejects.toThrow(/can't be used \(no answer within 50 ms/);
  await expect(asked).rejects.toBeInstanceOf(StorageUnavailable);
});

test('a bucket that may hold no more is a full one', async () => {
  const full = await strange((request, response) => {
    request.resume();
    response
      .writeHead(403, { 'content-type': 'application/xml' })
      .end('<Error><Code>QuotaExceeded</Code></Error>');
  });
  const error: unknown = await at(full)
    .put('a.bin', Readable.from(['x']))
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StorageUnavailable);
  expect(isNoRoom(error)).toBe(true);
});

test('a server that knows no ranges is left at the first byte too many', async () => {
  const whole = await strange((request, response) => {
    response.writeHead(200, { 'content-length': String(64 * MIB), etag: '"x"' });
    if (request.method === 'HEAD') response.end();
    else response.write(Buffer.alloc(MIB));
  });
  const file = await at(whole).open('a.bin');
  await expect(file.read(Buffer.alloc(1_000), 0)).rejects.toThrow('More bytes came');
});

test('what a storage is known by is only written where there is none, though others look at the same moment', async () => {
  let there = '';
  const others = await strange((request, response) => {
    request.resume();
    if (request.method === 'GET' && there === '') {
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      there = 'theirs';
    } else if (request.method === 'GET') response.end(there);
    else if (request.headers['if-none-match'] === '*')
      response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
    else {
      there = 'ours';
      response.end();
    }
  });
  expect(await at(others).identity.claim('ours')).toBe('theirs');
});

test('the bucket is named in the host where the server wants it so', async () => {
  const hosts: (string | undefined)[] = [];
  const server = await strange((request, response) => {
    hosts.push(`${request.headers.host} ${request.url}`);
    response.end();
  });
  await at(server).check();
  const named = { ...server, endpoint: server.endpoint.replace('127.0.0.1', 'localhost'), pathStyle: false };
  await at(named)
    .check()
    .catch(() => undefined);
  expect(hosts[0]).toMatch(/^127\.0\.0\.1:\d+ \/bucket/);
  expect(hosts.slice(1).every((host) => host?.startsWith('bucket.localhost:') === true)).toBe(true);
});

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += 70_001) yield bytes.subarray(from, from + 70_001);
}
