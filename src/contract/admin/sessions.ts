import { oc } from '@orpc/contract';
import { z } from 'zod';
import { CAPABILITIES } from '../../domain/capabilities.ts';
import { EXIT_POINTS } from '../../domain/exit-points.ts';
import { STAGES } from '../../domain/itinerary.ts';
import { VISIT_STATES } from '../../domain/phase.ts';
import { viaggioSchema } from '../records.ts';
import { positionSchema } from '../visit.ts';
import { signInErrors } from './sign-in-errors.ts';

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
  list: oc
    .route({ method: 'GET', path: '/admin/sessions', summary: 'Open sessions and the latest ended ones' })
    .output(
      z.strictObject({
        attive: z.array(sessionSchema),
        terminate: z.array(sessionSchema),
        conteggi: z.strictObject({ attive: z.int(), terminate: z.int() }),
      }),
    )
    .errors(signInErrors),
};
