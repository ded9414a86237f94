import type { ServerResponse } from 'node:http';
import { metricEvents } from '../counted.ts';
import type { ByteRange, OpenFile } from '../storage/storage.ts';
import type { ResponseHead } from './send.ts';

/** What is read at once, in bytes. */
const CHUNK = 1024 ** 2;
/** Less is not worth a buffer that is kept. */
const SMALL = 128 * 1024;
/** Buffers that wait for their next use. */
const KEPT = 8;

const spare: Buffer[] = [];

/**
 * Answers with a part of a file, at the client's pace: the next bytes are read when the last ones have been taken. It ends when the client
 * goes, or the answer is cut; a file that can't be read or is shorter than was said cuts the connection, so that a half file is never taken
 * for a whole one. Closes the file; never rejects.
 */
export async function sendBytes(
  outgoing: ServerResponse,
  head: ResponseHead,
  file: OpenFile,
  range: ByteRange,
): Promise<void> {
  try {
    // Players open and drop requests all the time.
    if (outgoing.destroyed) return;
    // What is being fetched then is wanted by nobody.
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
    // Only now has nobody it any more: what is under way when the client goes is left to the garbage collector.
    if (buffer.length === CHUNK && spare.length < KEPT) spare.push(buffer);
  }
}

function bufferOf(wanted: number): Buffer {
  return wanted <= SMALL ? Buffer.allocUnsafe(wanted) : (spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK));
}

/** Writes, and waits until the system has the bytes; false when the client has gone. */
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
