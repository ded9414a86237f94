import { S3Client } from '@aws-sdk/client-s3';
import { FileMissing, StorageUnavailable } from './storage.ts';

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  key: string;
  secret: string;
  /** True if the bucket is in the path of an address (`endpoint/bucket/…`), false if it is in the host. */
  pathStyle: boolean;
};

/** A bucket and its requests; errors are converted to those of the storage. */
export type Bucket = {
  name: string;
  /**
   * Rejects with `FileMissing` if the object is missing, otherwise with `StorageUnavailable`.
   * @param timeoutMs timeout in ms, including retries
   * @param signal aborts the request
   */
  send<T>(
    work: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    timeoutMs?: number,
    signal?: AbortSignal,
  ): Promise<T>;
};

/** Default timeout in ms, for short requests. */
const TIMEOUT_MS = 10_000;
/** Attempts per request, including the first. */
const MAX_ATTEMPTS = 3;
/** Connect timeout in ms. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Maximum connections. A chunk is fetched without waiting for a slow reader, so these serve some hundred readers. */
const CONNECTIONS = 128;

export function openBucket({ endpoint, region, bucket, key, secret, pathStyle }: S3Settings): Bucket {
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
    async send(work, timeoutMs = TIMEOUT_MS, signal) {
      const lateSignal = AbortSignal.timeout(timeoutMs);
      const abortSignal = signal === undefined ? lateSignal : AbortSignal.any([lateSignal, signal]);
      try {
        return await work(client, { abortSignal });
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
