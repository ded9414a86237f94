import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { Bucket } from './s3-bucket.ts';
import { type ByteRange, type OpenFile, StorageUnavailable } from './storage.ts';

/** What is fetched at once, in bytes. */
const CHUNK = 1024 * 1024;
/** How long (ms) a chunk may take. */
const CHUNK_MS = 30_000;

/** An object that is open: its size in bytes, and nothing that is held between two reads. */
type OpenObject = OpenFile & { size: number };

/**
 * Opens an object. Every read is one request for exactly the bytes that are asked for; `close` ends the one under way. An object that is replaced or
 * removed meanwhile is missing from then on: nobody gets bytes of two.
 */
export async function openObject(bucket: Bucket, key: string): Promise<OpenObject> {
  const Object = { Bucket: bucket.name, Key: key };
  const head = await bucket.send((client, options) => client.send(new HeadObjectCommand(Object), options));
  const size = head.ContentLength ?? 0;
  const closing = new AbortController();
  return {
    size,
    async read(into, position) {
      const wanted = Math.min(into.length, size - position);
      if (wanted <= 0) return 0;
      const range = `bytes=${position}-${position + wanted - 1}`;
      const part = { ...Object, Range: range, IfMatch: head.ETag };
      const fetch = new GetObjectCommand(part);
      return bucket.send(
        async (client, options) => {
          const { Body } = await client.send(fetch, options);
          return fill(into.subarray(0, wanted), Body as AsyncIterable<Buffer>);
        },
        CHUNK_MS,
        closing.signal,
      );
    },
    close: () => closing.abort(),
  };
}

async function fill(into: Buffer, content: AsyncIterable<Buffer>): Promise<number> {
  let filled = 0;
  for await (const chunk of content) {
    // A server that knows no ranges sends more: then it is left, not read to its end.
    if (filled + chunk.length > into.length)
      throw new StorageUnavailable('More bytes came than were asked for.');
    chunk.copy(into, filled);
    filled += chunk.length;
  }
  if (filled < into.length) throw new StorageUnavailable('Fewer bytes came than were asked for.');
  return filled;
}

/** The object as a stream, or a part of it, a chunk at a time: no connection waits for a reader that is slow. */
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
