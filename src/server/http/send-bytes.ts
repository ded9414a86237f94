import type { ServerResponse } from 'node:http';
import { metricEvents } from '../counted.ts';
import type { ByteRange, OpenFile } from '../storage/storage.ts';
import type { ResponseHead } from './send.ts';

/** Bytes per read. */
const CHUNK = 1024 ** 2;
/** Smaller buffers are not reused. */
const SMALL = 128 * 1024;
/** Maximum buffers stored for reuse. */
const KEPT = 8;

const spare: Buffer[] = [];

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
    const wanted = Math.min(CHUNK, end + 1 - at);
    const buffer = bufferOf(wanted);
    const length = await file.read(buffer.subarray(0, wanted), at);
    if (length === 0) throw new Error('The file is shorter than it was said to be.');
    at += length;
    if (!(await isTaken(outgoing, buffer.subarray(0, length), at > end))) return;
    metricEvents.sent.emit({ bytes: length });
    // The buffer is free to reuse now. After a mid-write disconnect the garbage collector frees it.
    if (buffer.length === CHUNK && spare.length < KEPT) spare.push(buffer);
  }
}

function bufferOf(wanted: number): Buffer {
  return wanted <= SMALL ? Buffer.allocUnsafe(wanted) : (spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK));
}

/** Writes, and resolves when the system has accepted the bytes; false if the client has disconnected. */
function isTaken(outgoing: ServerResponse, bytes: Buffer, last: boolean): Promise<boolean> {
  if (outgoing.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const gone = () => resolve(false);
    const taken = (error?: Error | null) => {
      outgoing.off('close', gone);
      resolve(!error);
    };
    outgoing.once('close', gone);
    if (last) outgoing.end(bytes, taken);
    else outgoing.write(bytes, taken);
  });
}
