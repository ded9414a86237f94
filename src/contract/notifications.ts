import { z } from 'zod';
import { EXIT_POINTS } from '../domain/exit-points.ts';
import { REASON_IDS } from '../domain/readiness-reasons.ts';
import { viaggioSchema } from './records.ts';

/** Name of the code as the administrator wrote it; absent if it has none. */
const nome = z.string().optional();

const failedEntry = {
  token_value: z.string().optional(),
  success: z.literal(false),
  error_message: z.string(),
};

/** Bodies of `notify-telegram` (spec 7), extended by the name and by our own types. The queue stores them unchanged. */
export const notificationSchema = z.union([
  /** A refused code; without `token_value`, a failure in the page (missing video, loading, playing). */
  z.strictObject({ type: z.literal('access'), ...failedEntry }),
  /** The code has no uses left. */
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
    /** Questions at the time of the answer. */
    domande: z.tuple([z.string(), z.string()]).optional(),
    /** Unused: present in messages queued by the previous version. */
    piano_b: z.literal(true).optional(),
  }),
  /** The visitor saw the evening to its end. */
  z.strictObject({ type: z.literal('visit_completed'), token_value: z.string(), nome }),
  /** The visitor left before the end and didn't return for some minutes. */
  z.strictObject({
    type: z.literal('visit_stopped'),
    token_value: z.string(),
    nome,
    exit_point: z.enum(EXIT_POINTS).nullable(),
  }),
  /** Readiness got worse: reasons that have become red. */
  z.strictObject({ type: z.literal('not_ready'), reasons: z.array(z.enum(REASON_IDS)) }),
  /** The published address no longer opens; `indirizzo` is the new one. */
  z.strictObject({ type: z.literal('address_changed'), indirizzo: z.string() }),
  /** The visitor replied from the keepsake. */
  z.strictObject({ type: z.literal('keepsake_reply'), token_value: z.string(), nome, testo: z.string() }),
]);

export type Notification = z.infer<typeof notificationSchema>;
