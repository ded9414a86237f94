import { ORPCError } from '@orpc/client';
import { ApiError, type ApiErrorCode, noAnswerError, parseApiError } from '../api/failure.ts';

/** What a call of the contract's client threw, as a failure. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ORPCError) return parseApiError(error.data, error.status);
  // `fetch` throws a TypeError without a network and a DOMException when the time is over.
  return error instanceof TypeError || error instanceof DOMException
    ? noAnswerError()
    : parseApiError(undefined);
}

/** The sentence for a failed call: the server's where there is one, the network's where nothing arrived, else the page's own (spec 8). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.codice !== 'UNREADABLE' ? error.messaggio : fallback;
}

/** Is it this refusal? */
export function isRefusal(error: unknown, codice: ApiErrorCode): boolean {
  return error instanceof ApiError && error.codice === codice;
}
