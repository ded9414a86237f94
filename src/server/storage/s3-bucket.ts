import { S3Client } from '@aws-sdk/client-s3';
import { FileMissing, StorageUnavailable } from './storage.ts';

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  key: string;
  secret: string;
  /** Is the bucket named in the path of an address (`endpoint/bucket/…`), or in its host? */
  pathStyle: boolean;
};

/** A bucket, and how it is asked: what goes wrong has the storage's names. */
export type Bucket = {
  name: string;
  /**
   * Rejects with `FileMissing` where the object isn't there, else with `StorageUnavailable`.
   * @param patience how long (ms) it may take in all, further tries included
   * @param leaving ends it before that
   */
  send<T>(
    work: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    patience?: number,
    leaving?: AbortSignal,
  ): Promise<T>;
};

/** What is answered in a moment (ms). */
const PATIENCE_MS = 10_000;
/** Tries of one request, the first one included. */
const TRIES = 3;
/** A server that doesn't take a connection within this time (ms) is not there. */
const CONNECT_MS = 3_000;
/** Pieces are fetched at once and never wait for a slow reader: so many connections are enough for some hundred readers. */
const CONNECTIONS = 128;

export function openBucket({ endpoint, region, bucket, key, secret, pathStyle }: S3Settings): Bucket {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    forcePathStyle: pathStyle,
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      httpAgent: { maxSockets: CONNECTIONS, keepAlive: true },
      httpsAgent: { maxSockets: CONNECTIONS, keepAlive: true },
    },
    // Otherwise bodies come in a framing with checksums that servers older than it store as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    name: bucket,
    async send(work, patience = PATIENCE_MS, leaving) {
      const late = AbortSignal.timeout(patience);
      const abortSignal = leaving === undefined ? late : AbortSignal.any([late, leaving]);
      try {
        return await work(client, { abortSignal });
      } catch (error) {
        throw inStorageWords(error, `${bucket} at ${endpoint}`, late.aborted ? patience : null);
      }
    },
  };
}

/** What servers answer where an object, or an upload of one, isn't there; HEAD has only its status. */
const MISSING = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);
/** Changed or removed since it was opened: the file that was opened isn't there any more. */
const CHANGED = 'PreconditionFailed';
/** What servers with little room answer. */
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'StorageFull']);

function inStorageWords(error: unknown, where: string, patience: number | null): unknown {
  if (error instanceof StorageUnavailable || error instanceof FileMissing) return error;
  const name = error instanceof Error ? error.name : '';
  if (MISSING.has(name) || name === CHANGED) return new FileMissing(`Not in the bucket ${where} (${name})`);
  const late = patience === null ? '' : `no answer within ${patience} ms`;
  const reason = [late, name, textOf(error)].filter((part) => part !== '' && part !== 'Error').join(', ');
  const cause = FULL.has(name) ? Object.assign(new Error(name), { code: 'ENOSPC' }) : error;
  return new StorageUnavailable(`The bucket ${where} can't be used (${reason}).`, { cause });
}

/** Node gives no message to several refused addresses together. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : '');
}

/** The name of an error that a server answered with, or an empty text. */
export const s3Name = (error: unknown): string =>
  error instanceof StorageUnavailable && error.cause instanceof Error ? error.cause.name : '';
