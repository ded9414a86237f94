import type { ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

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
export function sendStream(
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
export const isClientDisconnect = (error: Error) =>
  'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
