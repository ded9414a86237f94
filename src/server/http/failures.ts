import { ORPCError } from '@orpc/server';
import type { Logger } from 'pino';
import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts';
import { isUnavailable } from '../db/errors.ts';
import type { RefusalDetails } from '../refused.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { ClientDisconnected } from './json-body.ts';
import { type ErrorReply, errorReply } from './refusals.ts';

/**
 * Maps a thrown error to a reply: a listed error code, «Dati non validi.» for input that fails its schema, 503 if database or storage is
 * unavailable. All other errors are bugs: they are logged completely, and the client gets only an id.
 */
export function toErrorReply(error: unknown, scope: { request_id: string; log: Logger }): ErrorReply {
  if (error instanceof ORPCError) {
    if (isErrorCode(error.code))
      return errorReply(error.code, { ...detailsOf(error.data), request_id: scope.request_id });
    if (error.code === 'BAD_REQUEST') return errorReply('BAD_INPUT');
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

/** The process or the machine has no file handles left. */
const SYSTEM_SHORTAGE = new Set(['EMFILE', 'ENFILE']);

/** Returns true if the error means that database or storage is temporarily unavailable, so that a retry may succeed. */
export function isServiceUnavailable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const short = typeof code === 'string' && SYSTEM_SHORTAGE.has(code);
  return short || error instanceof StorageUnavailable || isUnavailable(error);
}
