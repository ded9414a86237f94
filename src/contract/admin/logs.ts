import { oc } from '@orpc/contract';
import { z } from 'zod';
import { signInErrors } from './sign-in-errors.ts';

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
  list: oc
    .route({ method: 'GET', path: '/admin/logs', summary: 'The latest events' })
    .input(z.strictObject({ event_type: z.enum(EVENT_FILTERS).optional() }))
    .output(
      z.strictObject({
        eventi: z.array(eventSchema),
        totale: z.int(),
        /** Refused attempts that were only counted, without an event. */
        solo_contati: z.int(),
      }),
    )
    .errors(signInErrors),
};
