import { ORPCError } from '@orpc/client';
import type { ErrorBody, ErrorCode } from '../../contract/errors.ts';
import { networkTexts } from '../../texts/network.ts';

/** NETWORK: no answer in time, whether it was done is unknown. UNREADABLE: an answer that isn't our server's. */
export type FailureCode = ErrorCode | 'NETWORK' | 'UNREADABLE';

/** Every call that didn't do what was asked ends in one of these; `messaggio` is the Italian sentence to show. */
export class Failure extends Error {
  readonly codice: FailureCode;
  readonly messaggio: string;
  /** Seconds to wait before trying again, where the server said so. */
  readonly secondi: number | undefined;

  constructor(codice: FailureCode, messaggio: string, secondi?: number) {
    super(`${codice}: ${messaggio}`);
    this.codice = codice;
    this.messaggio = messaggio;
    this.secondi = secondi;
  }
}

/** What a call threw, as a failure. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ORPCError) {
    const body: unknown = error.data;
    return isErrorBody(body)
      ? new Failure(body.codice, body.messaggio, body.secondi)
      : new Failure('UNREADABLE', networkTexts.unexpected);
  }
  // `fetch` throws a TypeError without a network and a DOMException when the time is over.
  const lost = error instanceof TypeError || error instanceof DOMException;
  return lost
    ? new Failure('NETWORK', networkTexts.offline)
    : new Failure('UNREADABLE', networkTexts.unexpected);
}

/** The sentence for a failed call: the server's where there is one, the network's where nothing arrived, else the page's own (spec 8). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Failure && error.codice !== 'UNREADABLE' ? error.messaggio : fallback;
}

/** Is it this refusal? */
export function isRefusal(error: unknown, codice: FailureCode): boolean {
  return error instanceof Failure && error.codice === codice;
}

export function isErrorBody(value: unknown): value is ErrorBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    'codice' in value &&
    'messaggio' in value &&
    typeof value.codice === 'string' &&
    typeof value.messaggio === 'string'
  );
}
