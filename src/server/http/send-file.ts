import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenFile } from '../storage/storage.ts';
import { etagMatches, ifRangeMatches, parseRange, type RangeResult } from './range.ts';
import { alreadySent, headOnly, type ResponseHead } from './send.ts';
import { sendBytes } from './send-bytes.ts';

/** A file to serve, and how to read it. */
export type ServedFile = {
  size: number;
  /** A strong tag with quotes: other bytes have another tag. */
  etag: string;
  headers: Record<string, string>;
  open(): Promise<OpenFile>;
  /** Path at which the front proxy finds the file; the proxy then sends the bytes. */
  proxyPath?: string | null;
};

/** Registers a transfer: `cut` aborts it; the returned function removes it. */
export type TrackTransfer = (cut: () => void) => () => void;

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse };

/**
 * Answers a GET or HEAD of a file (RFC 9110): 304 if the client has it, 206 for one range, 416 past the end, otherwise 200. If the front
 * proxy sends the file, it does all of this. Rejects with the storage's error before anything is sent.
 */
export async function sendFile(
  { incoming, outgoing }: Exchange,
  file: ServedFile,
  trackTransfer: TrackTransfer,
): Promise<Response> {
  // nginx keeps its connection to this server only after a response with an explicit empty body.
  if (file.proxyPath != null)
    return headOnly({
      status: 200,
      headers: { ...file.headers, 'X-Accel-Redirect': file.proxyPath, 'Content-Length': '0' },
    });
  const { headers, method } = incoming;
  const shared = { ...file.headers, ETag: file.etag, 'Accept-Ranges': 'bytes' };
  if (etagMatches(headers['if-none-match'], file.etag)) return headOnly({ status: 304, headers: shared });
  const ranged = method === 'GET' && ifRangeMatches(header(headers['if-range']), file.etag);
  const parsedRange = parseRange(ranged ? headers.range : undefined, file.size);
  const head = headOf(parsedRange, file.size, shared);
  if (method === 'HEAD' || parsedRange.kind === 'unsatisfiable') return headOnly(head);
  const content = await file.open();
  const release = trackTransfer(() => outgoing.destroy());
  const range = parsedRange.kind === 'part' ? parsedRange.range : { start: 0, end: file.size - 1 };
  void sendBytes(outgoing, head, content, range).finally(release);
  return alreadySent();
}

function headOf(parsedRange: RangeResult, size: number, headers: Record<string, string>): ResponseHead {
  switch (parsedRange.kind) {
    case 'whole':
      return { status: 200, headers: { ...headers, 'Content-Length': String(size) } };
    case 'part': {
      const { start, end } = parsedRange.range;
      const part = {
        'Content-Range': `bytes ${start}-${end}/${size}`,
        'Content-Length': String(end - start + 1),
      };
      return { status: 206, headers: { ...headers, ...part } };
    }
    case 'unsatisfiable':
      return {
        status: 416,
        headers: { ...headers, 'Content-Range': `bytes */${size}`, 'Content-Length': '0' },
      };
  }
}

const header = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
