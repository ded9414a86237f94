import { oc } from '@orpc/contract';
import { z } from 'zod';
import { MAX_LENGTH } from '../domain/limits.ts';
import { errorMap } from './error-map.ts';
import { viaggioSchema } from './records.ts';
import { stageContentSchema } from './stage-content.ts';
import { tripAnswersSchema } from './visit.ts';

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
  read: oc
    .route({ method: 'GET', path: '/keepsake', summary: 'Is there a keepsake for this device' })
    .output(z.strictObject({ open: z.boolean() }))
    .errors(errorMap('NO_KEEPSAKE')),
  /** Opens the keepsake for some hours with the visit's own code. A wrong code counts as in an entry. */
  open: oc
    .route({ method: 'POST', path: '/keepsake/open', summary: 'Look at the evening again' })
    .input(z.strictObject({ token: z.string().max(10_000) }))
    .output(keepsakeSchema)
    .errors(errorMap('NO_KEEPSAKE', 'CODE_EMPTY', 'CODE_INVALID', 'TOO_MANY_ATTEMPTS')),
  /** Stores a reply to the administrator in place of the previous one; an empty text deletes it. */
  reply: oc
    .route({ method: 'POST', path: '/keepsake/reply', summary: 'Write back' })
    .input(z.strictObject({ text: z.string().max(MAX_LENGTH.reply) }))
    .output(z.strictObject({ reply }))
    .errors(errorMap('NO_KEEPSAKE', 'KEEPSAKE_CLOSED')),
};
