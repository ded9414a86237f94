import { ORPCError } from '@orpc/server';
import type { Logger } from 'pino';
import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts';
import type { RefusalDetails } from '../refused.ts';
import { ClientGone } from './json-body.ts';
import { isOutage } from './outage.ts';
import { type RefusalAnswer, refusal } from './refusals.ts';

/**
 * What the client is told of something that was thrown: a refusal from the list, «Dati non validi.» for input that no schema takes,
 * 503 when database or storage can't answer. Anything else is a mistake of ours: it is logged whole, and only its id is shown.
 */
export function refusalOf(error: unknown, scope: { request_id: string; log: Logger }): RefusalAnswer {
  if (error instanceof ORPCError) {
    if (isErrorCode(error.code))
      return refusal(error.code, { ...detailsOf(error.data), request_id: scope.request_id });
    if (error.code === 'BAD_REQUEST') return refusal('BAD_INPUT');
  }
  const cause = error instanceof ORPCError ? (error.cause ?? error) : error;
  // Nobody hears the answer, and nothing has gone wrong here.
  if (cause instanceof ClientGone) return refusal('BAD_INPUT');
  if (isOutage(cause)) {
    scope.log.warn({ request_id: scope.request_id, err: cause }, 'database or storage unavailable');
    return refusal('UNAVAILABLE');
  }
  scope.log.error({ request_id: scope.request_id, err: cause }, 'unexpected error');
  return refusal('INTERNAL', { request_id: scope.request_id });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}

function detailsOf(data: unknown): RefusalDetails {
  const { secondi, line, opens_at } = (data ?? {}) as Partial<Record<keyof RefusalDetails, unknown>>;
  return {
    ...(typeof secondi === 'number' && { secondi }),
    ...(typeof line === 'number' && { line }),
    ...(typeof opens_at === 'string' && { opens_at }),
  };
}
