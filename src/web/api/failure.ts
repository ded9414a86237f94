import type { ErrorBody, ErrorCode, ErrorDetails } from '../../contract/errors.ts';
import { networkTexts } from '../../texts/dates.ts';

/** NETWORK: no answer in time. UNREADABLE: an answer that is not the server's, such as a proxy's page. Both leave the result unknown. */
export type ApiErrorCode = ErrorCode | 'NETWORK' | 'UNREADABLE';

/** Error of a call that failed. `messaggio` is the Italian sentence to show. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly codice: ApiErrorCode;
  readonly messaggio: string;
  /** Seconds to wait before a retry; undefined if the server sent none. */
  readonly secondi: number | undefined;
  /** Opening time (ISO 8601); undefined if the server sent none. */
  readonly opens_at: string | undefined;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;

  constructor(
    codice: ApiErrorCode,
    messaggio: string,
    more: Omit<ErrorDetails, 'line'> & { status?: number } = {},
  ) {
    super(`${codice}: ${messaggio}`);
    this.codice = codice;
    this.messaggio = messaggio;
    this.secondi = more.secondi;
    this.opens_at = more.opens_at;
    this.status = more.status;
  }
}

/** Returns the error that a response body describes, or UNREADABLE. */
export function parseApiError(body: unknown, status?: number): ApiError {
  const more = status === undefined ? {} : { status };
  if (!isErrorBody(body)) return new ApiError('UNREADABLE', networkTexts.unexpected, more);
  const { codice, messaggio, ...details } = body;
  return new ApiError(codice, messaggio, { ...more, ...details });
}

/** Returns the error for a call without an answer in time. */
export function noAnswerError(): ApiError {
  return new ApiError('NETWORK', networkTexts.offline);
}

/** Returns true if the server itself refused the call, other than by a server error (5xx). */
export function isRefused({ codice, status }: ApiError): boolean {
  return codice !== 'UNREADABLE' && status !== undefined && status < 500;
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
