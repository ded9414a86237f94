import { oc } from '@orpc/contract';
import { z } from 'zod';
import { eachOf, keysOf } from '../domain/records.ts';

/**
 * The closed list of expected refusals and their HTTP status. The Italian sentences are in `texts/errors.ts`; both are exhaustive by type.
 * On the wire a refusal is `{ codice, messaggio }`, plus `secondi` if waiting helps, `line` for a faulty line of a text, and `opens_at`
 * before the opening time.
 */
export const ERROR_STATUS = {
  /** Access */
  CODE_EMPTY: 400,
  CODE_INVALID: 403,
  CODE_EXPIRED: 403,
  CODE_EXHAUSTED: 403,
  SITE_CLOSED: 403,
  TOO_EARLY: 403,
  ATTEMPT_CONFLICT: 409,
  TOO_MANY_ATTEMPTS: 429,
  CONFIG_MISSING: 409,
  VIDEO_MISSING: 409,
  /** Visit */
  NO_VISIT: 401,
  VISIT_ENDED: 403,
  DISCONNECTED: 403,
  STEP_REFUSED: 409,
  ANSWERS_CONFLICT: 409,
  ANSWERS_REFUSED: 409,
  NO_KEEPSAKE: 404,
  KEEPSAKE_CLOSED: 401,
  /** Administrator */
  SIGN_IN_REQUIRED: 401,
  BAD_CREDENTIALS: 401,
  REGISTRATION_CLOSED: 403,
  REGISTRATION_FAILED: 409,
  EMAIL_TAKEN: 409,
  SETUP_CODE_WRONG: 403,
  WEAK_PASSWORD: 400,
  LONG_PASSWORD: 400,
  COMMON_PASSWORD: 400,
  NAME_REQUIRED: 400,
  STALE_VERSION: 409,
  SONG_START_TOO_LATE: 422,
  NOT_CONFIGURED: 409,
  BIN_PLACE_TAKEN: 409,
  BIN_LIST_FULL: 409,
  REHEARSAL_OVER: 401,
  DIAGNOSIS_OVER: 401,
  /** Archive */
  PASSPHRASE_SHORT: 400,
  PASSPHRASE_LONG: 400,
  ARCHIVE_LINK_OVER: 404,
  INSTALL_IN_USE: 409,
  RESTORE_BUSY: 409,
  ARCHIVE_GONE: 404,
  ARCHIVE_TOO_LARGE: 413,
  ARCHIVE_FOREIGN: 422,
  ARCHIVE_DAMAGED: 422,
  ARCHIVE_NEWER: 422,
  ARCHIVE_LOCKED: 422,
  PASSPHRASE_WRONG: 403,
  /** Uploads */
  UPLOAD_UNFINISHED: 409,
  UPLOAD_CONFLICT: 409,
  UPLOAD_LOCKED: 423,
  FILES_BUSY: 409,
  UPLOADS_BUSY: 409,
  FILE_REQUIRED: 400,
  FILE_TOO_LARGE: 413,
  FILE_EMPTY: 422,
  FILE_TRUNCATED: 422,
  FILE_BROKEN: 422,
  FILE_PROTECTED: 422,
  FILE_UNDECODABLE: 422,
  FILE_TOO_LONG: 422,
  FILE_TOO_HARD: 422,
  FILE_NOT_VIDEO: 422,
  FILE_NO_PICTURE: 422,
  FILE_VIDEO_TOO_BIG: 422,
  FILE_NOT_IMAGE: 422,
  FILE_SVG: 422,
  FILE_IMAGE_TOO_BIG: 422,
  FILE_NOT_TICKETS: 422,
  FILE_PDF_LOCKED: 422,
  FILE_WALLET_PASS: 422,
  FILE_NOT_JOINABLE: 422,
  FILE_NOT_AUDIO: 422,
  FILE_NO_SOUND: 422,
  CAPTIONS_EMPTY: 422,
  CAPTIONS_UNREADABLE: 422,
  CAPTIONS_TOO_LARGE: 413,
  CAPTION_TIMES: 422,
  CAPTION_TOO_LONG: 422,
  STORAGE_FULL: 507,
  NO_FFMPEG: 501,
  /** Everywhere */
  BAD_INPUT: 400,
  FORBIDDEN_ORIGIN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  WRONG_HOST: 421,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Returns the codes that begin with a word, in the order of the list. */
export const codesFrom = <W extends string>(word: W): Extract<ErrorCode, `${W}${string}`>[] =>
  keysOf(ERROR_STATUS).filter((code): code is Extract<ErrorCode, `${W}${string}`> => code.startsWith(word));

/** Response body of a refusal. */
export type ErrorBody = { codice: ErrorCode; messaggio: string } & ErrorDetails;
export type ErrorDetails = { secondi?: number; line?: number; opens_at?: string };

const details = z
  .strictObject({
    secondi: z.int().min(0).optional(),
    line: z.int().min(1).optional(),
    opens_at: z.iso.datetime().optional(),
  })
  .optional();

/** Returns the `.errors()` of a call: its own refusals, with their statuses. */
export function errorMap<C extends ErrorCode>(...codes: C[]) {
  return eachOf<C, { status: number; data: typeof details }>(codes, (code) => ({
    status: ERROR_STATUS[code],
    data: details,
  }));
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Starts the contract of a call. */
export const call = (method: Method, path: `/${string}`, summary: string) =>
  oc.route({ method, path, summary });

/** Starts the contract of an administrator call, which refuses a client without a sign-in. */
export const adminCall = (method: Method, path: `/${string}`, summary: string) =>
  call(method, path, summary).errors(errorMap('SIGN_IN_REQUIRED'));
