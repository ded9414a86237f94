import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../../contract/errors.ts';
import { errorSentence } from '../../texts/errors.ts';
import { metricEvents } from '../counted.ts';
import type { RefusalDetails } from '../refused.ts';

/** A refusal as it leaves the server. */
export type ErrorReply = { status: number; headers: Record<string, string>; body: ErrorBody };

/**
 * The answer to a refused request: `{ codice, messaggio, secondi?, line?, opens_at? }` in Italian.
 * @param details `secondi`: how long to wait before trying again; `line`: the line at fault; `opens_at`: who came before it; `request_id`:
 * what an unexpected error is found by in the log
 */
export function errorReply(
  codice: ErrorCode,
  details: RefusalDetails & { request_id?: string | undefined } = {},
): ErrorReply {
  metricEvents.refusal.emit({ code: codice });
  const { request_id, ...told } = details;
  const { secondi, line, opens_at } = told;
  const messaggio = errorSentence(codice, { n: secondi ?? line, id: request_id, opens_at });
  const waits = codice === 'TOO_MANY_ATTEMPTS' || codice === 'UNAVAILABLE';
  return {
    status: ERROR_STATUS[codice],
    headers: waits ? { 'Retry-After': String(secondi ?? 5) } : {},
    body: { codice, messaggio, ...told },
  };
}

/** The same as a response. */
export function errorResponse(codice: ErrorCode, headers: Record<string, string> = {}): Response {
  return replyToResponse(errorReply(codice), headers);
}

export function replyToResponse(
  { status, headers, body }: ErrorReply,
  more: Record<string, string> = {},
): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers, ...more } });
}
