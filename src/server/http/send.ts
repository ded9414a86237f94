import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { withoutControls } from '../../domain/blank.ts';
import { metricEvents } from '../log.ts';
import type { ByteRange, OpenFile } from '../storage/storage.ts';
import { FILE_POLICY } from './edge.ts';
import type { HttpContext, HttpEnv } from './request-context.ts';

/** Status and headers of a response. */
type ResponseHead = { status: number; headers: Record<string, string> };

/** Returned by a handler that has written the response itself. */
export const alreadySent = (): Response => RESPONSE_ALREADY_SENT;

/** Returns true if the client disconnected before the end, which is no failure here. */
const isClientDisconnect = (error: Error) => 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** A file that is written while it is sent, so its size may be unknown. */
type Download = {
  headers: Record<string, string>;
  open(): Promise<Readable>;
  hold: TrackTransfer;
  /** For the log, if the stream fails. */
  failure: string;
  /** Called at the end; `isComplete` is false if the stream failed or the client has disconnected. */
  onEnd?(isComplete: boolean): void;
};

/**
 * Answers a GET or HEAD of such a file at the client's pace. If the client or the stream ends early, so does the other. A failed stream
 * closes the connection, so that a partial file never seems complete. If the client has already disconnected, the stream is closed unread.
 */
export async function sendDownload(
  c: HttpContext,
  { headers, open, hold, failure, onEnd }: Download,
): Promise<Response> {
  const { outgoing, scope } = c.env;
  if (c.req.method === 'HEAD') return new Response(null, { headers });
  const content = await open();
  const release = hold(() => outgoing.destroy());
  const end = (error?: Error | null) => {
    release();
    if (error && !isClientDisconnect(error))
      c.get('server').deps.log.error({ request_id: scope.request_id, err: error }, failure);
    // A client that left before the first byte has received nothing.
    onEnd?.(!error && outgoing.writableFinished);
  };
  if (outgoing.destroyed) {
    content.destroy();
    end();
  } else {
    outgoing.writeHead(200, headers);
    pipeline(content, outgoing, end);
  }
  return alreadySent();
}

type FileKind = {
  type: string;
  name: string;
  as?: 'inline' | 'attachment';
  /** What its content depends on besides the address. */
  vary?: string;
};

/** Returns the headers of a file that is for its reader only. */
export function fileHeaders({ type, name, as = 'attachment', vary = 'Cookie' }: FileKind) {
  return {
    'Content-Type': type,
    'Content-Disposition': contentDisposition(as, name),
    'Content-Security-Policy': type === 'application/pdf' ? FILE_POLICY.pdf : FILE_POLICY.other,
    'Cache-Control': 'private, no-store',
    Vary: vary,
  };
}

/** A file to serve, and how to read it. */
export type ServedFile = {
  size: number;
  /** A strong tag with quotes: other bytes have another tag. */
  etag: string;
  headers: Record<string, string>;
  open(): Promise<OpenFile>;
  /** Path at which the front proxy finds the file (nginx's `X-Accel-Redirect`); the proxy then sends the bytes. */
  proxyPath?: string | null;
};

/** Registers a transfer: `cut` aborts it; the returned function removes it. */
export type TrackTransfer = (cut: () => void) => () => void;

/**
 * Answers a GET or HEAD of a file (RFC 9110): 304 if the client has it, 206 for one range, 416 past the end, otherwise 200. If the front
 * proxy sends the file, it does all of this. Rejects with the storage's error before anything is sent.
 */
export async function sendFile(
  { incoming, outgoing }: Pick<HttpEnv['Bindings'], 'incoming' | 'outgoing'>,
  file: ServedFile,
  trackTransfer: TrackTransfer,
): Promise<Response> {
  // nginx keeps its connection to this server only after a response with an explicit empty body.
  if (file.proxyPath != null)
    return new Response(null, {
      headers: { ...file.headers, 'X-Accel-Redirect': file.proxyPath, 'Content-Length': '0' },
    });
  const { range, ...head } = selectPart(incoming, file);
  if (range === null) return new Response(null, head);
  const content = await file.open();
  const release = trackTransfer(() => outgoing.destroy());
  void sendBytes(outgoing, head, content, range).finally(release);
  return alreadySent();
}

/**
 * Returns the head of the response to a GET or HEAD of a file: 304 if the client has it, 206 for one range, 416 past the end, otherwise
 * 200. `range`: the bytes that follow; null if there is no body.
 */
export function selectPart(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { size, etag, headers: own }: Pick<ServedFile, 'size' | 'etag' | 'headers'>,
): ResponseHead & { range: ByteRange | null } {
  const shared = { ...own, ETag: etag, 'Accept-Ranges': 'bytes' };
  if (etagMatches(headers['if-none-match'], etag)) return { status: 304, headers: shared, range: null };
  const [ifRange] = [headers['if-range']].flat();
  const isRanged = method === 'GET' && ifRangeMatches(ifRange, etag);
  const part = parseRange(isRanged ? headers.range : undefined, size);
  if (part === 'unsatisfiable') {
    const none = { 'Content-Range': `bytes */${size}`, 'Content-Length': '0' };
    return { status: 416, headers: { ...shared, ...none }, range: null };
  }
  const { start, end } = part === 'whole' ? { start: 0, end: size - 1 } : part;
  return {
    status: part === 'whole' ? 200 : 206,
    headers: {
      ...shared,
      'Content-Length': String(end + 1 - start),
      ...(part !== 'whole' && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    },
    range: method === 'HEAD' ? null : { start, end },
  };
}

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
async function sendBytes(
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
    await pump(outgoing, file, range);
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
    if (!(await writeBytes(outgoing, buffer.subarray(0, length)))) return;
    metricEvents.sent.emit({ bytes: length });
    // The buffer is free to reuse now. After a mid-write disconnect the garbage collector frees it.
    if (buffer.length === CHUNK && pool.length < MAX_POOLED) pool.push(buffer);
  }
  outgoing.end();
}

function bufferOf(byteCount: number): Buffer {
  return byteCount <= MIN_POOLED_BYTES
    ? Buffer.allocUnsafe(byteCount)
    : (pool.pop() ?? Buffer.allocUnsafeSlow(CHUNK));
}

/** Writes, and resolves when the system has accepted the bytes; false if the client has disconnected. */
function writeBytes(outgoing: ServerResponse, bytes: Buffer): Promise<boolean> {
  if (outgoing.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const onClosed = () => resolve(false);
    outgoing.once('close', onClosed);
    outgoing.write(bytes, (error) => {
      outgoing.off('close', onClosed);
      resolve(!error);
    });
  });
}

/**
 * Parses a `Range` header for a file of `size` bytes. `a-b`, `a-` and `-n` are a part; a start past the end is unsatisfiable. Several
 * ranges, other units and invalid values get the whole file (RFC 9110, 14.2: a server may ignore the header).
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec((header ?? '').replaceAll(' ', '')) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  const isSuffix = first === '';
  const start = isSuffix ? Math.max(0, size - Number(last)) : Number(first);
  const end = isSuffix || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (!isSuffix && last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Returns true if an `If-None-Match` list contains this tag. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** Returns true if a range applies: `If-Range` is missing or equals the strong tag. */
export function ifRangeMatches(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

/**
 * Returns a `Content-Disposition` with a file name (RFC 6266): in ASCII, and exactly (RFC 8187) if that differs. The name can't end the
 * header or start another.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const clean = withoutControls(name.slice(0, 200).toWellFormed()) || 'file';
  const ascii = clean.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const header = `${kind}; filename="${ascii}"`;
  return ascii === clean ? header : `${header}; filename*=UTF-8''${encodeRfc8187(clean)}`;
}

function encodeRfc8187(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
