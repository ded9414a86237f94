import type { ServerResponse } from 'node:http';
import { metricEvents } from '../counted.ts';
import type { ByteRange, OpenFile } from '../storage/storage.ts';
import type { ResponseHead } from './send.ts';

/** Bytes per read. */
const CHUNK = 1024 ** 2;
/** Smaller buffers are not reused. */
const MIN_POOLED_BYTES = 128 * 1024;
/** Maximum buffers stored for reuse. */
const MAX_POOLED = 8;

const pool: Buffer[] = [];

/**
 * Sends a part of a file at the client's pace: reads a chunk after the previous one was accepted. Ends if the client disconnects or the
 * response is aborted. A read error or a file shorter than announced closes the connection, so that a partial file never seems complete.
 * Closes the file; never rejects.
 */
export async function sendBytes(
  outgoing: ServerResponse,
  head: ResponseHead,
  file: OpenFile,
  range: ByteRange,
): Promise<void> {
  try {
    // Players open and abort requests all the time.
    if (outgoing.destroyed) return;
    // A running read is no longer needed then.
    outgoing.once('close', file.close);
    outgoing.writeHead(head.status, head.headers);
    if (range.end < range.start) outgoing.end();
    else await pump(outgoing, file, range);
  } catch {
    outgoing.destroy();
  } finally {
    file.close();
  }
}

async function pump(outgoing: ServerResponse, file: OpenFile, { start, end }: ByteRange): Promise<void> {
  for (let at = start; at <= end; ) {
    const byteCount = Math.min(CHUNK, end + 1 - at);
    const buffer = bufferOf(byteCount);
    const length = await file.read(buffer.subarray(0, byteCount), at);
    if (length === 0) throw new Error('The file is shorter than it was said to be.');
    at += length;
    if (!(await writeBytes(outgoing, buffer.subarray(0, length), at > end))) return;
    metricEvents.sent.emit({ bytes: length });
    // The buffer is free to reuse now. After a mid-write disconnect the garbage collector frees it.
    if (buffer.length === CHUNK && pool.length < MAX_POOLED) pool.push(buffer);
  }
}

function bufferOf(byteCount: number): Buffer {
  return byteCount <= MIN_POOLED_BYTES
    ? Buffer.allocUnsafe(byteCount)
    : (pool.pop() ?? Buffer.allocUnsafeSlow(CHUNK));
}

/** Writes, and resolves when the system has accepted the bytes; false if the client has disconnected. */
function writeBytes(outgoing: ServerResponse, bytes: Buffer, last: boolean): Promise<boolean> {
  if (outgoing.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const onClosed = () => resolve(false);
    const onWritten = (error?: Error | null) => {
      outgoing.off('close', onClosed);
      resolve(!error);
    };
    outgoing.once('close', onClosed);
    if (last) outgoing.end(bytes, onWritten);
    else outgoing.write(bytes, onWritten);
  });
}
