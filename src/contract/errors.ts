/**
 * The closed list of expected refusals. One place knows their HTTP status (here), one their Italian sentence (`texts/errors.ts`);
 * both are exhaustive by type. On the wire a refusal is `{ codice, messaggio }`, with `secondi` where waiting helps.
 */
export const ERROR_STATUS = {
  /** Access */
  CODE_EMPTY: 400,
  CODE_INVALID: 403,
  CODE_EXPIRED: 403,
  CODE_EXHAUSTED: 403,
  SITE_CLOSED: 403,
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
  NOT_CONFIGURED: 409,
  REHEARSAL_OVER: 401,
  /** Uploads */
  UPLOAD_UNFINISHED: 409,
  UPLOAD_CONFLICT: 409,
  UPLOADS_BUSY: 409,
  FILE_REQUIRED: 400,
  FILE_TOO_LARGE: 413,
  FILE_EMPTY: 422,
  FILE_TRUNCATED: 422,
  FILE_BROKEN: 422,
  FILE_NOT_VIDEO: 422,
  FILE_VIDEO_HEVC: 422,
  FILE_VIDEO_AV1: 422,
  FILE_VIDEO_VP9: 422,
  FILE_VIDEO_CODEC: 422,
  FILE_AUDIO_CODEC: 422,
  FILE_NOT_IMAGE: 422,
  FILE_HEIC: 422,
  FILE_SVG: 422,
  FILE_IMAGE_TOO_BIG: 422,
  FILE_NOT_TICKETS: 422,
  FILE_PDF_LOCKED: 422,
  FILE_NOT_AUDIO: 422,
  STORAGE_FULL: 507,
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

/** What a program sees of a refusal. */
export type ErrorBody = { codice: ErrorCode; messaggio: string; secondi?: number };
