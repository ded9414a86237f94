import { z } from 'zod';
import { EXIT_POINTS } from '../domain/exit-points.ts';
import { REASON_IDS } from '../domain/readiness-reasons.ts';
import { viaggioSchema } from './records.ts';

/** The code's name, as the administrator wrote it; without one nobody is named. */
const nome = z.string().optional();

const failedEntry = {
  token_value: z.string().optional(),
  success: z.literal(false),
  error_message: z.string(),
};

/** The bodies `notify-telegram` takes (spec 7), with who it is about and two of our own. They are stored in the queue as they are. */
export const notificationSchema = z.union([
  /** A code that was refused; without `token_value`, something that failed in the page (missing video, loading, playing). */
  z.strictObject({ type: z.literal('access'), ...failedEntry }),
  /** The code's uses are finished. */
  z.strictObject({ type: z.literal('access_exceeded'), ...failedEntry }),
  z.strictObject({
    type: z.literal('access'),
    token_value: z.string(),
    success: z.literal(true),
    device_id: z.string(),
    nome,
  }),
  z.strictObject({ type: z.literal('error'), ...failedEntry }),
  z.strictObject({
    type: z.literal('checkbox_response'),
    token_value: z.string(),
    risposta_1: z.boolean(),
    risposta_2: z.boolean(),
    viaggio: viaggioSchema,
    nome,
    /** The questions that were asked. */
    domande: z.tuple([z.string(), z.string()]).optional(),
    /** Unread: of a message that the version before has queued. */
    piano_b: z.literal(true).optional(),
  }),
  /** The evening was seen to its end. */
  z.strictObject({ type: z.literal('visit_completed'), token_value: z.string(), nome }),
  /** It was left before its end, and nobody has come back to it for some minutes. */
  z.strictObject({
    type: z.literal('visit_stopped'),
    token_value: z.string(),
    nome,
    exit_point: z.enum(EXIT_POINTS).nullable(),
  }),
  /** The evening is ready no more, or less than it was: what has become red. */
  z.strictObject({ type: z.literal('not_ready'), reasons: z.array(z.enum(REASON_IDS)) }),
  /** The address that was given out opens no more: the new one. */
  z.strictObject({ type: z.literal('address_changed'), indirizzo: z.string() }),
  /** She wrote back, from her keepsake. */
  z.strictObject({ type: z.literal('keepsake_reply'), token_value: z.string(), nome, testo: z.string() }),
]);

export type Notification = z.infer<typeof notificationSchema>;
