import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { Bucket } from './s3-bucket.ts';
import { type ByteRange, type OpenFile, StorageUnavailable } from './storage.ts';

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
  const head = await bucket.send((client, options) => client.send(new HeadObjectCommand(Object), options));
  const size = head.ContentLength ?? 0;
  const closing = new AbortController();
  return {
    size,
    async read(into, position) {
      const byteCount = Math.min(into.length, size - position);
      if (byteCount <= 0) return 0;
      const range = `bytes=${position}-${position + byteCount - 1}`;
      const part = { ...Object, Range: range, IfMatch: head.ETag };
      const fetch = new GetObjectCommand(part);
      return bucket.send(
        async (client, options) => {
          const { Body } = await client.send(fetch, options);
          return fill(into.subarray(0, byteCount), Body as AsyncIterable<Buffer>);
        },
        CHUNK_TIMEOUT_MS,
        closing.signal,
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

/** Returns the object or a part of it as a stream, fetched chunk by chunk: a slow reader occupies no connection. */
export function streamOf(file: OpenObject, range?: ByteRange): Readable {
  const end = Math.min(range?.end ?? Infinity, file.size - 1);
  let at = range?.start ?? 0;
  return new Readable({
    highWaterMark: CHUNK,
    read() {
      if (at > end) {
        this.push(null);
        return;
      }
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, end + 1 - at));
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
