import { z } from 'zod';
import {
  READINESS_IDS,
  READINESS_STATES,
  REASON_IDS,
  REASON_LEVELS,
} from '../../domain/readiness-reasons.ts';
import { READY_VERDICTS } from '../../domain/readiness-verdict.ts';
import { adminCall, call } from '../errors.ts';
import { certificateSchema } from './site-address.ts';

export const dashboard = adminCall('GET', '/admin/dashboard', 'Numbers of codes and accesses').output(
  z.strictObject({
    token_totali: z.int(),
    token_attivi: z.int(),
    /** Rows of `access_logs` with success true (spec 7 «Dashboard»). */
    accessi_totali: z.int(),
    /** The last 30 days in ascending order, including days without accesses; a day is `YYYY-MM-DD` in Italy. */
    accessi_per_giorno: z.array(
      z.strictObject({ giorno: z.string(), riusciti: z.int(), rifiutati: z.int() }),
    ),
    /** Certificate requested automatically (HTTPS_DOMAIN), or null. */
    certificato: certificateSchema.nullable(),
  }),
);

/** Facts for the sign-in page, readable without a sign-in. */
export const registration = call(
  'GET',
  '/admin/registration',
  'May the first administrator register?',
).output(
  z.strictObject({
    registration_open: z.boolean(),
    /** True if no account exists and only the first may register: the page offers registration. */
    first: z.boolean(),
    setup_code_required: z.boolean(),
    /** True if the install is empty, so an archive may be restored. */
    restorable: z.boolean(),
  }),
);

export const me = adminCall('GET', '/admin/me', 'Who is signed in').output(
  z.strictObject({
    email: z.string(),
    /** Site address; null if the installation doesn't know it (PUBLIC_URL). */
    public_url: z.string().nullable(),
    /** Address of a proxy that forwards visits but is missing from TRUSTED_PROXIES. */
    unnamed_proxy: z.string().nullable(),
    /** Largest accepted video (MAX_VIDEO_MB), in bytes. */
    max_video_bytes: z.number(),
  }),
);

const reasonSchema = z.strictObject({
  id: z.enum(REASON_IDS),
  level: z.enum(REASON_LEVELS),
  /** Page that fixes it; `part`: section of that page, null for its default. */
  page: z.string(),
  part: z.string().nullable(),
});

const preparedSchema = z.strictObject({
  id: z.enum(READINESS_IDS),
  state: z.enum(READINESS_STATES),
  page: z.string(),
});
export type ReadinessEntry = z.infer<typeof preparedSchema>;

const readySchema = z.strictObject({
  verdict: z.enum(READY_VERDICTS),
  /** Most severe first. */
  reasons: z.array(reasonSchema),
  /** Prepared and missing items, from the same facts; results of probes are not included. */
  prepared: z.array(preparedSchema),
  /** Time of the last complete check by probes; null before the first. Everything else is evaluated at each read. */
  asked_at: z.iso.datetime().nullable(),
  /** Number of finished probes while a check runs; `total` is 0 until it is known. */
  progress: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
});
export type ReadinessReport = z.infer<typeof readySchema>;

/** Readiness of the evening, computed by the server. */
export const ready = {
  read: adminCall('GET', '/admin/ready/answer', 'Is the evening ready, and what speaks against it').output(
    readySchema,
  ),
  /** Runs all probes again; `read` returns the progress. */
  check: adminCall('POST', '/admin/ready/check', 'Try everything again').output(z.strictObject({})),
};

/** Data of the administrator's pages that can change on the server. */
export const LIVE_TOPICS = [
  'sessions',
  'logs',
  'tokens',
  'answers',
  'config',
  'diagnosis',
  'ready',
  'plan_b',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/**
 * Messages of the administrator's live channel, `GET /api/admin/events` (server-sent events, one JSON object each).
 * `changed`: data of these topics is stale. `resync`: messages may be lost, so all data may be stale.
 */
export type AdminLiveMessage =
  | { type: 'ping' }
  | { type: 'changed'; topics: LiveTopic[] }
  | { type: 'resync' }
  | { type: 'bye' };
