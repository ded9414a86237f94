import type { HttpResponse } from 'tus-js-client';
import { FILE_REFUSALS } from '../../../../../contract/admin/media.ts';
import type { ErrorBody } from '../../../../../contract/errors.ts';
import { savedTexts } from '../../../../../texts/admin/media.ts';
import { ApiError, isErrorBody } from '../../../../api/failure.ts';

/** Reason why an upload stopped. */
export type StopReason =
  /** A temporary cause: the network, or a busy server. */
  | { kind: 'wait' }
  | { kind: 'file-lost' }
  | { kind: 'failed'; failure: ApiError }
  | { kind: 'refused'; messaggio: string };

/** A proxy refuses requests of this size. */
type TooLarge = { kind: 'too-large' };

/** Error codes of an unavailable or busy server, or of its proxy. */
const TEMPORARY_CODES = [
  'NETWORK',
  'UNREADABLE',
  'UNAVAILABLE',
  'TOO_MANY_ATTEMPTS',
  'UPLOAD_CONFLICT',
  'UPLOAD_LOCKED',
];
/** Statuses that mean the same without a readable error body. */
const TEMPORARY_STATUSES = [408, 409, 423, 425, 429, 502, 503, 504];
const TOO_LARGE = 413;

/** Returns why an upload request failed. Without a response it is the network, unless the file can't be read. */
export async function stopReasonFor(
  response: HttpResponse | null,
  cause: Error,
  file: File,
): Promise<StopReason | TooLarge> {
  if (cause instanceof ApiError) return stopReasonOfError(cause);
  if (response === null) return { kind: (await isReadable(file)) ? 'wait' : 'file-lost' };
  const body = bodyOf(response);
  if (body !== null) return stopReasonOfError(new ApiError(body.codice, body.messaggio));
  if (TEMPORARY_STATUSES.includes(response.getStatus())) return { kind: 'wait' };
  if (response.getStatus() === TOO_LARGE) return { kind: 'too-large' };
  return { kind: 'failed', failure: new ApiError('UNREADABLE', savedTexts.uploadFailed) };
}

/** Returns why an upload stopped, from a readable error. */
export function stopReasonOfError(failure: ApiError): StopReason {
  if (isOneOf(FILE_REFUSALS, failure.codice)) return { kind: 'refused', messaggio: failure.messaggio };
  return isOneOf(TEMPORARY_CODES, failure.codice) ? { kind: 'wait' } : { kind: 'failed', failure };
}

function isOneOf(codes: readonly string[], codice: string): boolean {
  return codes.includes(codice);
}

function bodyOf(response: HttpResponse): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(response.getBody());
    return isErrorBody(body) ? body : null;
  } catch {
    return null;
  }
}

/** Returns false if the phone has removed access to a file picked earlier. */
async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}
