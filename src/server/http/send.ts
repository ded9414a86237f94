import type { ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** What is said of an answer before its bytes. */
export type ResponseHead = { status: number; headers: Record<string, string> };

/** What a handler returns when it has written the answer itself. */
export const alreadySent = (): Response => RESPONSE_ALREADY_SENT;

/** An answer that is nothing but its head. */
export function headOnly({ status, headers }: ResponseHead): Response {
  return new Response(null, { status, headers });
}

/**
 * Answers with a stream straight into Node's response, at the client's pace. Whoever goes first (client, stream, `cut`) takes the other
 * along; a stream that fails cuts the connection, so that a half file is never taken for a whole one. Where the client has gone before the
 * first byte, the stream is closed unread.
 * @param onEnd called once, with the error if there was one
 */
export function sendStream(
  outgoing: ServerResponse,
  head: ResponseHead,
  content: Readable,
  onEnd: (error: Error | null) => void,
): Response {
  // Players open and drop requests all the time; nothing can be piped to who has left.
  if (outgoing.destroyed) {
    content.destroy();
    onEnd(null);
    return alreadySent();
  }
  outgoing.writeHead(head.status, head.headers);
  pipeline(content, outgoing, (error) => onEnd(error ?? null));
  return alreadySent();
}

/** The client went before the end: nothing is wrong here. */
export const isClientDisconnect = (error: Error) =>
  'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
