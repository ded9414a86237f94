import { z } from 'zod';
import { DRESSES } from '../domain/configuration.ts';
import { EXIT_POINTS } from '../domain/itinerary.ts';
import { MAX_LENGTH } from '../domain/limits.ts';
import { call, errorMap } from './errors.ts';
import { stageContentSchema, viaggioSchema } from './model.ts';

/**
 * Browser capabilities and conditions that the evening can use and can do without. Stored with a session for the administrator, because a
 * browser's name reveals little, least of all inside an app.
 */
export const CAPABILITIES = [
  'in_app',
  'full_screen',
  'wake_lock',
  'media_session',
  'share_files',
  'storage',
  'navigation_api',
  'save_data',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Returns the known ones of the stored names. */
export function readCapabilities(stored: string | null): Capability[] {
  const names = new Set(stored?.split(' '));
  return CAPABILITIES.filter((name) => names.has(name));
}

const viaggio = viaggioSchema;
/** Both answers of a trip. */
export const tripAnswersSchema = z.strictObject({
  viaggio,
  risposta_1: z.boolean(),
  risposta_2: z.boolean(),
});

/** `device_id`: the word device, a timestamp, a random string (spec 3). */
export const deviceId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);

export const positionSchema = z.strictObject({
  step: z.int().min(0).max(99),
  phrase: z.int().min(0).max(999),
  second: z.number().min(0).max(100_000),
});

/**
 * Id of a page load, generated when the page is loaded or restored from the back/forward cache. Requests of an ended page load change
 * nothing. Pages of earlier versions send none.
 */
const pageLoadId = z.uuid().optional();
const withPageLoadId = z.strictObject({ life: pageLoadId });

/** Visit as known to the browser. `stages[i]` is the content of step i; `complete` means that no further stage exists. */
export const visitSchema = z.strictObject({
  session_id: z.string(),
  token_id: z.string(),
  token_value: z.string(),
  position: positionSchema,
  stages: z.array(stageContentSchema),
  complete: z.boolean(),
  answers: z.array(tripAnswersSchema),
  canzone_url: z.string().nullable(),
  recipient_name: z.string().nullable(),
  dress: z.enum(DRESSES),
  sound_effects: z.boolean(),
});
export type Visit = z.infer<typeof visitSchema>;

/** Reason for a forced disconnect; the text shown names the contact. */
export const disconnectionSchema = z.strictObject({
  reason: z.enum(['token_revoked', 'token_deleted']),
  contatto: z.string().nullable(),
});
export type Disconnection = z.infer<typeof disconnectionSchema>;

const sessionVerdict = z.strictObject({
  /** open: continue. ended: completed or too old. disconnected: closed by the administrator. */
  state: z.enum(['open', 'ended', 'disconnected']),
  disconnection: disconnectionSchema.nullable(),
});
export type SessionVerdict = z.infer<typeof sessionVerdict>;

/** Starts the contract of a call of a visit, which refuses a browser without one. */
const visitCall = (path: `/visit/${string}`, summary: string) =>
  call('POST', path, summary).errors(errorMap('NO_VISIT'));

export const visitContract = {
  /** Facts for the access screen: whether the site is closed, the graduation date, whether a visit can be resumed. */
  site: call('GET', '/site', 'State of the access screen').output(
    z.strictObject({
      data_laurea: z.string().nullable(),
      closed: z.boolean(),
      resumable: z.boolean(),
      disconnection: disconnectionSchema.nullable(),
      /** True if this device has a keepsake (`/ricordo`). */
      keepsake: z.boolean(),
      /** Footer instead of the specification's sentence; empty for none, null if it isn't replaced. */
      footer_text: z.string().nullable(),
      /** Privacy notice for visitors; plain text. */
      privacy_notice: z.string().nullable(),
    }),
  ),

  enter: call('POST', '/access', 'Enter with a code')
    .input(
      z.strictObject({
        token: z.string().max(10_000),
        attempt_id: z.uuid(),
        device_id: deviceId,
        life: pageLoadId,
        capabilities: z.array(z.enum(CAPABILITIES)).max(CAPABILITIES.length).optional(),
      }),
    )
    .output(
      z.strictObject({
        token_id: z.string(),
        token_value: z.string(),
        resumed: z.boolean(),
        /** Reply that `resume` would return, so the evening begins without another request. */
        visit: visitSchema,
      }),
    )
    .errors(
      errorMap(
        'CODE_EMPTY',
        'CODE_INVALID',
        'CODE_EXPIRED',
        'CODE_EXHAUSTED',
        'SITE_CLOSED',
        'TOO_EARLY',
        'ATTEMPT_CONFLICT',
        'TOO_MANY_ATTEMPTS',
        'CONFIG_MISSING',
        'VIDEO_MISSING',
      ),
    ),

  /** Opens the page or returns to it: reopens the same session and counts no access. */
  resume: visitCall('/visit/resume', 'Take up the visit again')
    .input(withPageLoadId)
    .output(visitSchema)
    .errors(errorMap('VISIT_ENDED', 'DISCONNECTED')),

  position: visitCall('/visit/position', 'A stage, phrase or second begins')
    .input(positionSchema.extend({ life: pageLoadId }))
    .output(visitSchema)
    .errors(errorMap('VISIT_ENDED', 'DISCONNECTED', 'STEP_REFUSED')),

  heartbeat: visitCall('/visit/heartbeat', 'Still here').input(withPageLoadId).output(sessionVerdict),

  answers: visitCall('/visit/answers', 'Both answers of a trip')
    .input(tripAnswersSchema.extend({ life: pageLoadId }))
    .output(visitSchema)
    .errors(errorMap('VISIT_ENDED', 'DISCONNECTED', 'ANSWERS_CONFLICT', 'ANSWERS_REFUSED')),

  /** Completes the evening: the session closes and can't be resumed. Allowed only from the last stage. */
  complete: visitCall('/visit/complete', 'The evening is over')
    .input(withPageLoadId)
    .output(z.strictObject({}))
    .errors(errorMap('VISIT_ENDED', 'DISCONNECTED', 'STEP_REFUSED')),

  /**
   * Sent by sendBeacon as text/plain. `open`, after the questions, closes nothing and only stores the exit point. The specification's
   * `timestamp` is ignored. `seq` increases with each report of a device, also across reloads.
   */
  trackUserExit: visitCall('/visit/track-user-exit', 'The page is hidden or left')
    .route({ successStatus: 204 })
    .input(
      z.strictObject({
        state: z.enum(['background', 'closed', 'open']),
        exitPoint: z.enum(EXIT_POINTS),
        timestamp: z.iso.datetime(),
        seq: z.int().min(0),
        life: pageLoadId,
      }),
    )
    .output(z.undefined()),

  /** Reports a failure in the page to the administrator, at most 5 times a session. */
  reportError: visitCall('/visit/error', 'An error the visitor saw')
    .input(z.strictObject({ kind: z.enum(['video', 'video_start', 'loading', 'download']) }))
    .output(z.strictObject({})),
};

/** Messages of the visitor's live channel, `GET /api/visit/events` (server-sent events, one JSON object each). */
export type LiveMessage =
  | { type: 'ping' }
  | { type: 'disconnected'; disconnection: Disconnection }
  | { type: 'bye' };

const reply = z.string().nullable();

/** A finished evening for its keepsake. */
export const keepsakeSchema = z.strictObject({
  /** Last day, `YYYY-MM-DD`. */
  until: z.string(),
  recipient_name: z.string().nullable(),
  stages: z.array(stageContentSchema),
  answers: z.array(tripAnswersSchema),
  /** Trips that can be added to a calendar: `GET /keepsake/calendar/{1|2}/viaggio.ics`. */
  calendars: z.array(viaggioSchema),
  /** The visitor's reply. */
  reply,
});
export type KeepsakeView = z.infer<typeof keepsakeSchema>;

/** The keepsake (`/ricordo`, decision 064), for the device that finished a visit. Other devices get NO_KEEPSAKE. */
export const keepsakeContract = {
  /** `open` is true if the code was typed recently. Reveals nothing about the evening. */
  read: call('GET', '/keepsake', 'Is there a keepsake for this device')
    .output(z.strictObject({ open: z.boolean() }))
    .errors(errorMap('NO_KEEPSAKE')),
  /** Opens the keepsake for some hours with the visit's own code. A wrong code counts as in an entry. */
  open: call('POST', '/keepsake/open', 'Look at the evening again')
    .input(z.strictObject({ token: z.string().max(10_000) }))
    .output(keepsakeSchema)
    .errors(errorMap('NO_KEEPSAKE', 'CODE_EMPTY', 'CODE_INVALID', 'TOO_MANY_ATTEMPTS')),
  /** Stores a reply to the administrator in place of the previous one; an empty text deletes it. */
  reply: call('POST', '/keepsake/reply', 'Write back')
    .input(z.strictObject({ text: z.string().max(MAX_LENGTH.reply) }))
    .output(z.strictObject({ reply }))
    .errors(errorMap('NO_KEEPSAKE', 'KEEPSAKE_CLOSED')),
};
