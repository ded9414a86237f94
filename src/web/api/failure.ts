import type { ErrorBody, ErrorCode, ErrorDetails } from '../../contract/errors.ts';
import { networkTexts } from '../../texts/network.ts';

/** NETWORK: no answer in time, whether it was done is unknown. UNREADABLE: an answer that isn't our server's (a proxy's page): unknown, too. */
export type ApiErrorCode = ErrorCode | 'NETWORK' | 'UNREADABLE';

/** Every call that didn't do what was asked ends in one of these; `messaggio` is the Italian sentence to show. */
export class ApiError extends Error {
  override readonly name = 'Failure';
  readonly codice: ApiErrorCode;
  readonly messaggio: string;
  /** Seconds to wait before trying again, where the server said so. */
  readonly secondi: number | undefined;
  /** The moment to wait for, where the server named one (ISO 8601). */
  readonly opens_at: string | undefined;
  /** Of the answer; undefined where there was none. */
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

/** What an answer's body says went wrong. */
export function parseApiError(body: unknown, status?: number): ApiError {
  const more = status === undefined ? {} : { status };
  if (!isErrorBody(body)) return new ApiError('UNREADABLE', networkTexts.unexpected, more);
  const { codice, messaggio, ...details } = body;
  return new ApiError(codice, messaggio, { ...more, ...details });
}

/** No answer in time. */
export function noAnswerError(): ApiError {
  return new ApiError('NETWORK', networkTexts.offline);
}

/** Did our server say no, and not for a trouble of its own? */
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
