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
  /** As the server judges it now: a paused one can still be taken up again. */
  state: z.enum(VISIT_STATES),
  started_at: z.string(),
  last_activity: z.string(),
  disconnected_at: z.string().nullable(),
  disconnection_reason: z.string().nullable(),
  completed_at: z.string().nullable(),
  exit_point: z.enum(EXIT_POINTS).nullable(),
  /** The page is in the background (the phone is locked, another app is in front). */
  background: z.boolean(),
  /** The stages this visit has, in order; `frasi` is how many phrases one shows. None where the stored visit can't be read. */
  stages: z.array(
    z.strictObject({ stage: z.enum(STAGES), viaggio: viaggioSchema, frasi: z.int().nullable() }),
  ),
  /** The furthest point reached: index into `stages`, index of the phrase, second of the video. */
  position: positionSchema,
  /** What the browser that entered can do; null where it didn't say. */
  capabilities: z.array(z.enum(CAPABILITIES)).nullable(),
});
export type SessionRecord = z.infer<typeof sessionSchema>;

/** Every open session and the latest ended ones, newest first (spec 2 «Active sessions»). */
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
