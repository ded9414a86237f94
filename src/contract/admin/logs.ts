import { z } from 'zod';
import { VISIT_STATES } from '../../domain/evening.ts';
import { EXIT_POINTS, STAGES } from '../../domain/itinerary.ts';
import { adminCall } from '../errors.ts';
import { viaggioSchema } from '../model.ts';
import { CAPABILITIES, positionSchema } from '../visit.ts';

export const sessionSchema = z.strictObject({
  id: z.string(),
  token_value: z.string(),
  device_id: z.string(),
  user_agent: z.string(),
  is_active: z.boolean(),
  /** State as the server judges it now; a paused visit can be resumed. */
  state: z.enum(VISIT_STATES),
  started_at: z.string(),
  last_activity: z.string(),
  disconnected_at: z.string().nullable(),
  disconnection_reason: z.string().nullable(),
  completed_at: z.string().nullable(),
  exit_point: z.enum(EXIT_POINTS).nullable(),
  /** True if the page is in the background (phone locked, another app in front). */
  background: z.boolean(),
  /** Stages of this visit, in order; `frasi` is the number of phrases of a stage. Empty if the stored visit can't be read. */
  stages: z.array(
    z.strictObject({ stage: z.enum(STAGES), viaggio: viaggioSchema, frasi: z.int().nullable() }),
  ),
  /** The furthest point reached: index into `stages`, index of the phrase, second of the video. */
  position: positionSchema,
  /** Capabilities of the browser that entered; null if it reported none. */
  capabilities: z.array(z.enum(CAPABILITIES)).nullable(),
});
export type SessionRecord = z.infer<typeof sessionSchema>;

/** Open sessions and the latest ended ones, newest first (spec 2 «Active sessions»). */
export const sessions = {
  list: adminCall('GET', '/admin/sessions', 'Open sessions and the latest ended ones').output(
    z.strictObject({
      attive: z.array(sessionSchema),
      terminate: z.array(sessionSchema),
      conteggi: z.strictObject({ attive: z.int(), terminate: z.int() }),
    }),
  ),
};

/** Event types that a list can be filtered by; `token_created` and `token_revoked` are shown but not offered (spec 4 «Event types»). */
export const FILTERED_EVENTS = [
  'session_started',
  'session_ended',
  'access_granted',
  'access_denied',
  'forced_disconnect',
] as const;

/** Events of the administrator's account (not in the specification), offered as one filter after the five above. */
export const SECURITY_EVENTS = [
  'admin_signed_in',
  'admin_sign_in_failed',
  'admin_password_changed',
  'admin_email_changed',
  'admin_sessions_ended',
  'archive_downloaded',
  'archive_restored',
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

export const EVENT_FILTERS = [...FILTERED_EVENTS, 'admin'] as const;

export const eventSchema = z.strictObject({
  id: z.string(),
  /** Any text; an unknown type is shown unchanged. */
  event_type: z.string(),
  token_value: z.string().nullable(),
  device_id: z.string().nullable(),
  user_agent: z.string().nullable(),
  success: z.boolean(),
  error_message: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});
export type EventRecord = z.infer<typeof eventSchema>;

export const logs = {
  /**
   * The latest 100 events, newest first, and the total of that type. The CSV is `GET /api/admin/logs.csv`, with semicolons if `?per=excel`.
   */
  list: adminCall('GET', '/admin/logs', 'The latest events')
    .input(z.strictObject({ event_type: z.enum(EVENT_FILTERS).optional() }))
    .output(
      z.strictObject({
        eventi: z.array(eventSchema),
        totale: z.int(),
        /** Refused attempts that were only counted, without an event. */
        solo_contati: z.int(),
      }),
    ),
};
