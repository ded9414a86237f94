import {
  type $Command,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3';
import { FileMissing, type Objects, StorageUnavailable, type StoredObject } from './storage.ts';

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  key: string;
  secret: string;
  /** True if the bucket is in the path of an address (`endpoint/bucket/…`), false if it is in the host. */
  pathStyle: boolean;
};

type S3Command<I extends ServiceInputTypes, O extends ServiceOutputTypes> = $Command<
  I,
  O,
  S3ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>;

/** A bucket and its requests; errors are converted to those of the storage. */
export type Bucket = ReturnType<typeof openBucket>;

/** Default timeout in ms, for short requests. */
const TIMEOUT_MS = 10_000;
/** Attempts per request, including the first. */
const MAX_ATTEMPTS = 3;
/** Connect timeout in ms. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Maximum connections. A chunk is fetched without waiting for a slow reader, so these serve some hundred readers. */
const CONNECTIONS = 128;

export function openBucket({ endpoint, region, bucket, key, secret, pathStyle }: S3Settings) {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    forcePathStyle: pathStyle,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      httpAgent: { maxSockets: CONNECTIONS, keepAlive: true },
      httpsAgent: { maxSockets: CONNECTIONS, keepAlive: true },
    },
    // Otherwise bodies use a framing with checksums that older servers store as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    name: bucket,
    /**
     * Sends a command. Rejects with `FileMissing` if the object is missing, otherwise with `StorageUnavailable`.
     * @param limits timeout in ms, including retries; signal that aborts the request
     * @param read reads the reply's body, within the same timeout
     */
    async send<I extends ServiceInputTypes, O extends ServiceOutputTypes, T = O>(
      command: S3Command<I, O>,
      { timeoutMs = TIMEOUT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
      read?: (reply: O) => Promise<T>,
    ): Promise<T> {
      const lateSignal = AbortSignal.timeout(timeoutMs);
      const abortSignal = signal === undefined ? lateSignal : AbortSignal.any([lateSignal, signal]);
      try {
        const reply = await client.send(command, { abortSignal });
        // Without `read` the result is the reply.
        return read === undefined ? (reply as never) : await read(reply);
      } catch (error) {
        throw toStorageError(error, `${bucket} at ${endpoint}`, lateSignal.aborted ? timeoutMs : null);
      }
    },
  };
}

/** Errors for a missing object or upload; a HEAD response has only a status. */
const MISSING = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);
/** The object was changed or removed since it was opened: the opened version is missing. */
const CHANGED = 'PreconditionFailed';
/** Errors of servers without free space. */
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'StorageFull']);

function toStorageError(error: unknown, where: string, timeoutMs: number | null): unknown {
  if (error instanceof StorageUnavailable || error instanceof FileMissing) return error;
  const name = error instanceof Error ? error.name : '';
  if (MISSING.has(name) || name === CHANGED) return new FileMissing(`Not in the bucket ${where} (${name})`);
  const lateSignal = timeoutMs === null ? '' : `no answer within ${timeoutMs} ms`;
  const reason = [lateSignal, name, textOf(error)]
    .filter((part) => part !== '' && part !== 'Error')
    .join(', ');
  const cause = FULL.has(name) ? Object.assign(new Error(name), { code: 'ENOSPC' }) : error;
  return new StorageUnavailable(`The bucket ${where} can't be used (${reason}).`, { cause });
}

/** Node's error for several refused addresses has no message. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : '');
}

/** Returns the name of the server's error, or ''. */
export const s3Name = (error: unknown): string =>
  error instanceof StorageUnavailable && error.cause instanceof Error ? error.cause.name : '';

/** Timeout in ms for transferring some megabytes. */
const TRANSFER_TIMEOUT_MS = 120_000;
/** Concurrent deletions. */
const CONCURRENCY = 16;

/** Returns the objects under a prefix of a bucket, each read and written as a whole. */
export function objectsIn(bucket: Bucket, prefix: string): Objects {
  const objectOf = (key: string) => ({ Bucket: bucket.name, Key: `${prefix}${key}` });
  const remove = (key: string) => bucket.send(new DeleteObjectCommand(objectOf(key))).catch(orMissing);
  const limits = { timeoutMs: TRANSFER_TIMEOUT_MS };
  return {
    async put(key, bytes) {
      await bucket.send(new PutObjectCommand({ ...objectOf(key), Body: bytes }), limits);
    },
    async get(key) {
      const bytes = await bucket
        .send(new GetObjectCommand(objectOf(key)), limits, async ({ Body }) => Body?.transformToByteArray())
        .catch(orMissing);
      return bytes === undefined ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    },
    async list(beginning = '') {
      const objects: StoredObject[] = [];
      for await (const { key, ...of } of listObjects(bucket, `${prefix}${beginning}`))
        objects.push({ key: key.slice(prefix.length), ...of });
      return objects;
    },
    async remove(keys) {
      for (let n = 0; n < keys.length; n += CONCURRENCY)
        await Promise.all(keys.slice(n, n + CONCURRENCY).map(remove));
    },
  };
}

/** Lists all objects whose key begins with `prefix`, in key order. */
export async function* listObjects(bucket: Bucket, prefix: string): AsyncIterable<StoredObject> {
  let token: string | undefined;
  do {
    const list = { Bucket: bucket.name, Prefix: prefix, ContinuationToken: token };
    const page: ListObjectsV2CommandOutput = await bucket.send(new ListObjectsV2Command(list));
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
      yield { key: Key, size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

/** Ignores a missing object. */
export function orMissing(error: unknown): undefined {
  if (!(error instanceof FileMissing)) throw error;
}
