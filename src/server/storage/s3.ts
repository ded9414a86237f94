import { randomBytes } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { isStorageKey } from './disk.ts';
import { type Bucket, openBucket, type S3Settings, s3Name } from './s3-bucket.ts';
import { listObjects, objectsIn, orMissing } from './s3-objects.ts';
import { openObject, streamOf } from './s3-read.ts';
import { abortAbandoned, putObject } from './s3-write.ts';
import { FileMissing, type Identity, type Storage, StorageUnavailable } from './storage.ts';

/** Prefix of the files; uploads in progress and the storage's identity have other keys. */
const PREFIX = 'media/';
const ARRIVING = 'uploads/';
const IDENTITY = 'identity';

type Options = {
  /** Opens the folder for local copies, which programs read. */
  copies(): Promise<Storage>;
  now?: () => number;
};

/** Stores files in a bucket of an S3 server. A bucket belongs to one install. */
export function s3Storage(settings: S3Settings, { copies, now = Date.now }: Options): Storage {
  const bucket = openBucket(settings);
  const keyOf = (key: string) => {
    if (!isStorageKey(key)) throw new TypeError(`Not a key: ${JSON.stringify(key)}`);
    return `${PREFIX}${key}`;
  };
  const storage: Storage = {
    isOnDisk: false,
    put: async (key, content) => putObject(bucket, keyOf(key), content),
    size: async (key) => sizeOf(bucket, keyOf(key)),
    open: async (key) => openObject(bucket, keyOf(key)),
    async read(key, range) {
      if (range && !(range.start >= 0 && range.end >= range.start))
        throw new RangeError('Not a range of bytes');
      return streamOf(await openObject(bucket, keyOf(key)), range);
    },
    async withLocalPath(key, work) {
      const content = await storage.read(key);
      const copyStorage = await copies();
      const copy = randomBytes(16).toString('hex');
      try {
        await copyStorage.put(copy, content);
        return await copyStorage.withLocalPath(copy, work);
      } finally {
        await copyStorage.remove(copy);
      }
    },
    async remove(key) {
      const remove = new DeleteObjectCommand({ Bucket: bucket.name, Key: keyOf(key) });
      await bucket.send((client, options) => client.send(remove, options)).catch(orMissing);
    },
    keys: () => walk(bucket, now()),
    async check() {
      const headRequest = new HeadBucketCommand({ Bucket: bucket.name });
      await bucket.send((client, options) => client.send(headRequest, options)).catch(orNoBucket);
    },
    identity: identityIn(bucket),
    arriving: objectsIn(bucket, ARRIVING),
  };
  return storage;
}

function orNoBucket(error: unknown): never {
  if (error instanceof FileMissing)
    throw new StorageUnavailable('There is no such bucket.', { cause: error });
  throw error;
}

async function sizeOf(bucket: Bucket, key: string): Promise<number | null> {
  const headRequest = new HeadObjectCommand({ Bucket: bucket.name, Key: key });
  const found = await bucket.send((client, options) => client.send(headRequest, options)).catch(orMissing);
  return found?.ContentLength ?? null;
}

async function* walk(bucket: Bucket, now: number): AsyncIterable<string> {
  await abortAbandoned(bucket, PREFIX, now);
  for await (const { key: fullKey } of listObjects(bucket, PREFIX)) {
    const key = fullKey.slice(PREFIX.length);
    if (isStorageKey(key)) yield key;
  }
}

/** Error if other nodes were faster. */
const TAKEN = new Set(['ConditionalRequestConflict']);

function identityIn(bucket: Bucket): Identity {
  const Object = { Bucket: bucket.name, Key: IDENTITY };
  const find = async () => {
    const read = new GetObjectCommand(Object);
    const text = bucket.send(async (client, options) =>
      (await client.send(read, options)).Body?.transformToString(),
    );
    return (await text.catch(orMissing)) ?? null;
  };
  const put = (id: string, condition: { IfNoneMatch?: '*' }) => {
    const write = new PutObjectCommand({ ...Object, Body: id, ...condition });
    return bucket.send((client, options) => client.send(write, options));
  };
  return {
    find,
    async claim(id) {
      const existing = await find();
      if (existing !== null) return existing;
      await put(id, { IfNoneMatch: '*' }).catch((error: unknown) => {
        // `FileMissing` is also the error of an unmet condition.
        if (error instanceof FileMissing || TAKEN.has(s3Name(error))) return undefined;
        // Error of servers without conditional writes.
        if (s3Name(error) === 'NotImplemented') return put(id, {});
        throw error;
      });
      return (await find()) ?? id;
    },
    async replace(id) {
      await put(id, {});
    },
  };
}
