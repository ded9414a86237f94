import { ORPCError } from '@orpc/client';
import { Failure, type FailureCode, failureIn, lost } from '../api/failure.ts';

/** What a call of the contract's client threw, as a failure. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ORPCError) return failureIn(error.data, error.status);
  // `fetch` throws a TypeError without a network and a DOMException when the time is over.
  return error instanceof TypeError || error instanceof DOMException ? lost() : failureIn(undefined);
}

/** The sentence for a failed call: the server's where there is one, the network's where nothing arrived, else the page's own (spec 8). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Failure && error.codice !== 'UNREADABLE' ? error.messaggio : fallback;
}

/** Is it this refusal? */
export function isRefusal(error: unknown, codice: FailureCode): boolean {
  return error instanceof Failure && error.codice === codice;
}
