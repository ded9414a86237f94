import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { DAY_MS } from '../../domain/limits.ts';
import type { Bucket } from './s3-bucket.ts';
import { StorageUnavailable, type StoredFile } from './storage.ts';

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
  const Object = { Bucket: bucket.name, Key: key };
  let size = 0;
  let upload: PartsUpload | null = null;
  try {
    for await (const { bytes, isLast } of partsOf(content)) {
      hash.update(bytes);
      size += bytes.length;
      if (isLast && upload === null) {
        const put = new PutObjectCommand({ ...Object, Body: bytes });
        await bucket.send((client, options) => client.send(put, options), PART_TIMEOUT_MS);
      } else {
        upload ??= await beginParts(bucket, key);
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

type PartsUpload = { add(bytes: Buffer): Promise<void>; complete(): Promise<void>; abort(): Promise<void> };

async function beginParts(bucket: Bucket, key: string): Promise<PartsUpload> {
  const create = new CreateMultipartUploadCommand({ Bucket: bucket.name, Key: key });
  const { UploadId } = await bucket.send((client, options) => client.send(create, options));
  const upload = { Bucket: bucket.name, Key: key, UploadId };
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  return {
    async add(bytes) {
      const PartNumber = parts.length + 1;
      if (PartNumber > MAX_PARTS)
        throw new StorageUnavailable(`S3 takes ${MAX_PARTS} parts of ${PART_BYTES} bytes at most.`);
      const part = new UploadPartCommand({ ...upload, PartNumber, Body: bytes });
      const { ETag } = await bucket.send((client, options) => client.send(part, options), PART_TIMEOUT_MS);
      parts.push({ PartNumber, ETag });
    },
    async complete() {
      const all = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } });
      await bucket.send((client, options) => client.send(all, options), COMPLETE_TIMEOUT_MS);
    },
    abort: () => abortParts(bucket, upload),
  };
}

async function abortParts(
  bucket: Bucket,
  upload: { Bucket: string; Key: string | undefined; UploadId: string | undefined },
): Promise<void> {
  const abort = new AbortMultipartUploadCommand(upload);
  await bucket.send((client, options) => client.send(abort, options));
}

/** Aborts multipart uploads that a crash interrupted; object lists don't show them. */
export async function abortAbandoned(bucket: Bucket, prefix: string, now: number): Promise<void> {
  const Bucket = bucket.name;
  let from: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> = {};
  for (let isMore = true; isMore; ) {
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...from });
    const page: ListMultipartUploadsCommandOutput = await bucket.send((client, options) =>
      client.send(list, options),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Initiated !== undefined && now - Initiated.getTime() > ABANDONED_MS)
        await abortParts(bucket, { Bucket, Key, UploadId });
    isMore = page.IsTruncated === true;
    from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

type UploadPart = { bytes: Buffer; isLast: boolean };

/** Splits a stream into parts of equal size; the last one is smaller or empty. */
async function* partsOf(content: AsyncIterable<string | Buffer>): AsyncGenerator<UploadPart> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    let bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (length + bytes.length > PART_BYTES) {
      const rest = PART_BYTES - length;
      yield { bytes: Buffer.concat([...chunks, bytes.subarray(0, rest)]), isLast: false };
      [chunks, length, bytes] = [[], 0, bytes.subarray(rest)];
    }
    // A stream may reuse its buffer.
    chunks.push(Buffer.from(bytes));
    length += bytes.length;
  }
  yield { bytes: Buffer.concat(chunks), isLast: true };
}
