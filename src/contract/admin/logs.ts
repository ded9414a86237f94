import { oc } from '@orpc/contract';
import { z } from 'zod';
import { signInErrors } from './sign-in-errors.ts';

/** The kinds a list can be filtered by; `token_created` and `token_revoked` are shown but not offered (spec 4 «Event types»). */
export const FILTERED_EVENTS = [
  'session_started',
  'session_ended',
  'access_granted',
  'access_denied',
  'forced_disconnect',
] as const;

/** What happens to the administrator's own access (ours): offered as one filter, after the specification's five. */
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
  /** Any text: what isn't known is shown as it is. */
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
  /** The latest 100, newest first, and how many there are in all (of that kind). The CSV is `GET /api/admin/logs.csv`, with semicolons `?per=excel`. */
  list: oc
    .route({ method: 'GET', path: '/admin/logs', summary: 'The latest events' })
    .input(z.strictObject({ event_type: z.enum(EVENT_FILTERS).optional() }))
    .output(
      z.strictObject({
        eventi: z.array(eventSchema),
        totale: z.int(),
        /** Refused tries of which only the number was kept: they are no events. */
        solo_contati: z.int(),
      }),
    )
    .errors(signInErrors),
};
