import { ORPCError } from '@orpc/client';
import { ApiError, type ApiErrorCode, noAnswerError, parseApiError } from '../api/failure.ts';

/** Converts an error of the contract's client into an `ApiError`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ORPCError) return parseApiError(error.data, error.status);
  // `fetch` throws a TypeError without a network and a DOMException after the timeout.
  return error instanceof TypeError || error instanceof DOMException
    ? noAnswerError()
    : parseApiError(undefined);
}

/** Returns the sentence for a failed call: the server's or the network's, else `fallback` (spec 8). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.codice !== 'UNREADABLE' ? error.messaggio : fallback;
}

/** Returns true if the error has this code. */
export function isRefusal(error: unknown, codice: ApiErrorCode): boolean {
  return error instanceof ApiError && error.codice === codice;
}
