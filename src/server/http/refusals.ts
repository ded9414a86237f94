import { ORPCError } from '@orpc/server';
import type { Logger } from 'pino';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../../contract/errors.ts';
import { errorSentence } from '../../texts/errors.ts';
import { errorCode, isUnavailable } from '../db/errors.ts';
import { metricEvents } from '../log.ts';
import type { RefusalDetails } from '../refused.ts';
import { StorageUnavailable } from '../storage/storage.ts';

/** A refusal as an HTTP response. */
type ErrorReply = { status: number; headers: Record<string, string>; body: ErrorBody };

/**
 * Creates the reply to a refused request: `{ codice, messaggio, secondi?, line?, opens_at? }` in Italian.
 * @param details `secondi`: seconds until the next attempt; `line`: faulty line; `opens_at`: opening time that hasn't come; `request_id`:
 * identifies an unexpected error in the log
 */
export function errorReply(
  codice: ErrorCode,
  { request_id, ...details }: RefusalDetails & { request_id?: string | undefined } = {},
): ErrorReply {
  metricEvents.refusal.emit({ code: codice });
  const { secondi, line, opens_at } = details;
  const messaggio = errorSentence(codice, { n: secondi ?? line, id: request_id, opens_at });
  const hasRetryAfter = codice === 'TOO_MANY_ATTEMPTS' || codice === 'UNAVAILABLE';
  return {
    status: ERROR_STATUS[codice],
    headers: hasRetryAfter ? { 'Retry-After': String(secondi ?? 5) } : {},
    body: { codice, messaggio, ...details },
  };
}

/** Like `errorReply`, as a response. */
export function errorResponse(codice: ErrorCode, headers: Record<string, string> = {}): Response {
  return replyToResponse(errorReply(codice), headers);
}

export function replyToResponse(
  { status, headers, body }: ErrorReply,
  more: Record<string, string> = {},
): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers, ...more } });
}

/**
 * Maps a thrown error to a reply: a listed error code, «Dati non validi.» for input that fails its schema, 503 if database or storage is
 * unavailable. All other errors are bugs: they are logged completely, and the client gets only an id.
 */
export function toErrorReply(error: unknown, scope: { request_id: string; log: Logger }): ErrorReply {
  if (error instanceof ORPCError) {
    const { code } = error;
    if (isErrorCode(code))
      return errorReply(code, { ...detailsOf(error.data), request_id: scope.request_id });
    if (code === 'BAD_REQUEST') return errorReply('BAD_INPUT');
  }
  const cause = error instanceof ORPCError ? (error.cause ?? error) : error;
  // The client has left, and nothing has failed here.
  if (cause instanceof ClientDisconnected) return errorReply('BAD_INPUT');
  if (isServiceUnavailable(cause)) {
    scope.log.warn({ request_id: scope.request_id, err: cause }, 'database or storage unavailable');
    return errorReply('UNAVAILABLE');
  }
  scope.log.error({ request_id: scope.request_id, err: cause }, 'unexpected error');
  return errorReply('INTERNAL', { request_id: scope.request_id });
}

/** Only what a client may know: a service's refusal may carry more. */
function detailsOf(data: unknown): RefusalDetails {
  const { secondi, line, opens_at } = (data ?? {}) as RefusalDetails;
  return {
    ...(secondi !== undefined && { secondi }),
    ...(line !== undefined && { line }),
    ...(opens_at !== undefined && { opens_at }),
  };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}

/** The client disconnected before its request was complete; there is no one to answer. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';
}

/** The process or the machine has no file handles left. */
const SYSTEM_SHORTAGE = new Set(['EMFILE', 'ENFILE']);

/** Returns true if the error means that database or storage is temporarily unavailable, so that a retry may succeed. */
export function isServiceUnavailable(error: unknown): boolean {
  return SYSTEM_SHORTAGE.has(errorCode(error)) || error instanceof StorageUnavailable || isUnavailable(error);
}
