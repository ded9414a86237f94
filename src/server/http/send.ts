import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { withoutControls } from '../../domain/blank.ts';
import { metricEvents } from '../counted.ts';
import type { Env } from '../env.ts';
import type { ByteRange, OpenFile } from '../storage/storage.ts';
import type { IsTrustedProxy } from './address.ts';
import { FILE_POLICY } from './headers.ts';
import type { HttpContext } from './request-context.ts';

/** Status and headers of a response. */
export type ResponseHead = { status: number; headers: Record<string, string> };

/** Returned by a handler that has written the response itself. */
export const alreadySent = (): Response => RESPONSE_ALREADY_SENT;

/** Returns a response without a body. */
export function headOnly({ status, headers }: ResponseHead): Response {
  return new Response(null, { status, headers });
}

/**
 * Pipes a stream into Node's response at the client's pace. If the client or the stream ends early, so does the other. A failed stream
 * closes the connection, so that a partial file never seems complete. If the client has already disconnected, the stream is closed unread.
 * @param onEnd called once, with the error if there was one
 */
function sendStream(
  outgoing: ServerResponse,
  head: ResponseHead,
  content: Readable,
  onEnd: (error: Error | null) => void,
): Response {
  // Players open and abort requests all the time; a closed response can't be piped to.
  if (outgoing.destroyed) {
    content.destroy();
    onEnd(null);
    return alreadySent();
  }
  outgoing.writeHead(head.status, head.headers);
  pipeline(content, outgoing, (error) => onEnd(error ?? null));
  return alreadySent();
}

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

/** Answers a GET or HEAD of such a file. */
export async function sendDownload(c: HttpContext, download: Download): Promise<Response> {
  const { outgoing, scope } = c.env;
  const head = { status: 200, headers: download.headers };
  if (c.req.method === 'HEAD') return headOnly(head);
  const content = await download.open();
  const release = download.hold(() => outgoing.destroy());
  return sendStream(outgoing, head, content, (error) => {
    release();
    if (error !== null && !isClientDisconnect(error))
      c.get('server').deps.log.error({ request_id: scope.request_id, err: error }, download.failure);
    // A client that left before the first byte has received nothing.
    download.onEnd?.(error === null && outgoing.writableFinished);
  });
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

export type RangeResult = { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'unsatisfiable' };

const WHOLE: RangeResult = { kind: 'whole' };

/**
 * Parses a `Range` header for a file of `size` bytes. `a-b`, `a-` and `-n` are a part; a start past the end is unsatisfiable. Several
 * ranges, other units and invalid values get the whole file (RFC 9110, 14.2: a server may ignore the header).
 */
export function parseRange(header: string | undefined, size: number): RangeResult {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec((header ?? '').replaceAll(' ', '')) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return WHOLE;
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return WHOLE;
  return start >= size ? { kind: 'unsatisfiable' } : { kind: 'part', range: { start, end } };
}

function suffix(length: number, size: number): RangeResult {
  if (length === 0 || size === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start: Math.max(0, size - length), end: size - 1 } };
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

/**
 * Returns the path at which the proxy finds a file (nginx's `X-Accel-Redirect`). Returns null without the setting or for an untrusted peer:
 * this server then sends the bytes.
 */
export function accelRedirectPath(
  { X_ACCEL_REDIRECT }: Pick<Env, 'X_ACCEL_REDIRECT'>,
  isTrustedProxy: IsTrustedProxy,
  { socket }: Pick<IncomingMessage, 'socket'>,
  key: string,
): string | null {
  if (X_ACCEL_REDIRECT === undefined || !isTrustedProxy(socket.remoteAddress ?? '')) return null;
  return `${X_ACCEL_REDIRECT}${key}`;
}
