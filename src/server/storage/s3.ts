import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { DAY_MS } from '../../domain/limits.ts';
import { isStorageKey } from './disk.ts';
import {
  type Bucket,
  listObjects,
  objectsIn,
  openBucket,
  orMissing,
  type S3Settings,
  s3Name,
} from './s3-bucket.ts';
import {
  FileMissing,
  type Identity,
  type OpenFile,
  type Storage,
  StorageUnavailable,
  type StoredFile,
  splitStream,
} from './storage.ts';

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
    async size(key) {
      const head = new HeadObjectCommand({ Bucket: bucket.name, Key: keyOf(key) });
      return (await bucket.send(head).catch(orMissing))?.ContentLength ?? null;
    },
    open: async (key) => openObject(bucket, keyOf(key)),
    read: async (key) => streamOf(await openObject(bucket, keyOf(key))),
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
    remove: async (key) => objectsIn(bucket, '').remove([keyOf(key)]),
    async *keys() {
      await abortAbandoned(bucket, PREFIX, now());
      for await (const { key: fullKey } of listObjects(bucket, PREFIX)) {
        const key = fullKey.slice(PREFIX.length);
        if (isStorageKey(key)) yield key;
      }
    },
    async check() {
      await bucket.send(new HeadBucketCommand({ Bucket: bucket.name })).catch((error: unknown) => {
        if (!(error instanceof FileMissing)) throw error;
        throw new StorageUnavailable('There is no such bucket.', { cause: error });
      });
    },
    identity: identityIn(bucket),
    arriving: objectsIn(bucket, ARRIVING),
  };
  return storage;
}

function identityIn(bucket: Bucket): Identity {
  const Object = { Bucket: bucket.name, Key: IDENTITY };
  const find = async () => {
    const text = bucket.send(new GetObjectCommand(Object), {}, async ({ Body }) => Body?.transformToString());
    return (await text.catch(orMissing)) ?? null;
  };
  const put = (id: string, condition: { IfNoneMatch?: '*' }) =>
    bucket.send(new PutObjectCommand({ ...Object, Body: id, ...condition }));
  return {
    find,
    async claim(id) {
      const existing = await find();
      if (existing !== null) return existing;
      await put(id, { IfNoneMatch: '*' }).catch((error: unknown) => {
        // Other nodes were faster. `FileMissing` is also the error of an unmet condition.
        if (error instanceof FileMissing || s3Name(error) === 'ConditionalRequestConflict') return undefined;
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

/** Bytes per request. */
const CHUNK = 1024 * 1024;
/** Timeout of a chunk in ms. */
const CHUNK_TIMEOUT_MS = 30_000;

/** An open object with its size in bytes; it holds no resource between reads. */
type OpenObject = OpenFile & { size: number };

/**
 * Opens an object. Each read is one request for exactly these bytes; `close` aborts a running one. After the object is replaced or removed,
 * reads reject as missing, so that bytes of two versions never mix.
 */
export async function openObject(bucket: Bucket, key: string): Promise<OpenObject> {
  const Object = { Bucket: bucket.name, Key: key };
  const head = await bucket.send(new HeadObjectCommand(Object));
  const size = head.ContentLength ?? 0;
  const closing = new AbortController();
  return {
    size,
    async read(into, position) {
      const byteCount = Math.min(into.length, size - position);
      if (byteCount <= 0) return 0;
      const Range = `bytes=${position}-${position + byteCount - 1}`;
      return bucket.send(
        new GetObjectCommand({ ...Object, Range, IfMatch: head.ETag }),
        { timeoutMs: CHUNK_TIMEOUT_MS, signal: closing.signal },
        ({ Body }) => fill(into.subarray(0, byteCount), Body as AsyncIterable<Buffer>),
      );
    },
    close: () => closing.abort(),
  };
}

async function fill(into: Buffer, content: AsyncIterable<Buffer>): Promise<number> {
  let filled = 0;
  for await (const chunk of content) {
    // A server without range support sends more: the rest isn't read.
    if (filled + chunk.length > into.length)
      throw new StorageUnavailable('More bytes came than were asked for.');
    chunk.copy(into, filled);
    filled += chunk.length;
  }
  if (filled < into.length) throw new StorageUnavailable('Fewer bytes came than were asked for.');
  return filled;
}

/** Returns the object as a stream, fetched chunk by chunk: a slow reader occupies no connection. */
function streamOf(file: OpenObject): Readable {
  let at = 0;
  return new Readable({
    highWaterMark: CHUNK,
    read() {
      if (at >= file.size) {
        this.push(null);
        return;
      }
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, file.size - at));
      file.read(chunk, at).then(
        (length) => {
          at += length;
          this.push(chunk);
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      file.close();
      done(error);
    },
  });
}

/** Bytes per part; some servers require equal parts except the last. S3 allows 10,000 parts: 156 GiB. */
const PART_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 10_000;
/** Timeouts in ms: of one part, and of completing the upload. */
const PART_TIMEOUT_MS = 120_000;
const COMPLETE_TIMEOUT_MS = 300_000;
/** Age in ms at which a multipart upload counts as a leftover of a crash. */
const ABANDONED_MS = DAY_MS;

/**
 * Stores a stream as an object, completely or not at all. The hash is computed here, because servers report different ones. Parts of a
 * failed upload are deleted, at the latest by the sweep. Rejects with the stream's error.
 */
export async function putObject(bucket: Bucket, key: string, content: Readable): Promise<StoredFile> {
  const hash = createHash('sha256');
  const object = { Bucket: bucket.name, Key: key };
  let size = 0;
  let upload: PartsUpload | null = null;
  try {
    for await (const { bytes, isLast } of splitStream(content, PART_BYTES)) {
      hash.update(bytes);
      size += bytes.length;
      if (isLast && upload === null) {
        await bucket.send(new PutObjectCommand({ ...object, Body: bytes }), { timeoutMs: PART_TIMEOUT_MS });
      } else {
        upload ??= await beginParts(bucket, object);
        await upload.add(bytes);
      }
    }
    await upload?.complete();
  } catch (error) {
    await upload?.abort().catch(() => undefined);
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}

type PartsUpload = {
  add(bytes: Buffer): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<unknown>;
};

async function beginParts(bucket: Bucket, object: { Bucket: string; Key: string }): Promise<PartsUpload> {
  const { UploadId } = await bucket.send(new CreateMultipartUploadCommand(object));
  const upload = { ...object, UploadId };
  const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
  return {
    async add(bytes) {
      const PartNumber = Parts.length + 1;
      if (PartNumber > MAX_PARTS)
        throw new StorageUnavailable(`S3 takes ${MAX_PARTS} parts of ${PART_BYTES} bytes at most.`);
      const part = new UploadPartCommand({ ...upload, PartNumber, Body: bytes });
      const { ETag } = await bucket.send(part, { timeoutMs: PART_TIMEOUT_MS });
      Parts.push({ PartNumber, ETag });
    },
    async complete() {
      const all = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
      await bucket.send(all, { timeoutMs: COMPLETE_TIMEOUT_MS });
    },
    abort: () => bucket.send(new AbortMultipartUploadCommand(upload)),
  };
}

/** Aborts multipart uploads that a crash interrupted; object lists don't show them. */
async function abortAbandoned(bucket: Bucket, prefix: string, now: number): Promise<void> {
  const Bucket = bucket.name;
  let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  for (let isMore = true; isMore; ) {
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...from });
    const page: ListMultipartUploadsCommandOutput = await bucket.send(list);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Initiated !== undefined && now - Initiated.getTime() > ABANDONED_MS)
        await bucket.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    isMore = page.IsTruncated === true;
    from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}
