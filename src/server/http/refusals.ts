import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../../contract/errors.ts';
import { errorSentence } from '../../texts/errors.ts';
import { metricEvents } from '../counted.ts';
import type { RefusalDetails } from '../refused.ts';

/** A refusal as an HTTP response. */
export type ErrorReply = { status: number; headers: Record<string, string>; body: ErrorBody };

/**
 * Creates the reply to a refused request: `{ codice, messaggio, secondi?, line?, opens_at? }` in Italian.
 * @param details `secondi`: seconds until the next attempt; `line`: faulty line; `opens_at`: opening time that hasn't come; `request_id`:
 * identifies an unexpected error in the log
 */
export function errorReply(
  codice: ErrorCode,
  details: RefusalDetails & { request_id?: string | undefined } = {},
): ErrorReply {
  metricEvents.refusal.emit({ code: codice });
  const { request_id, ...publicDetails } = details;
  const { secondi, line, opens_at } = publicDetails;
  const messaggio = errorSentence(codice, { n: secondi ?? line, id: request_id, opens_at });
  const hasRetryAfter = codice === 'TOO_MANY_ATTEMPTS' || codice === 'UNAVAILABLE';
  return {
    status: ERROR_STATUS[codice],
    headers: hasRetryAfter ? { 'Retry-After': String(secondi ?? 5) } : {},
    body: { codice, messaggio, ...publicDetails },
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
