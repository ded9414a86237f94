import { oc } from '@orpc/contract';
import { z } from 'zod';
import { MAX_LENGTH } from '../domain/limits.ts';
import { errorMap } from './error-map.ts';
import { viaggioSchema } from './records.ts';
import { stageContentSchema } from './stage-content.ts';
import { givenAnswersSchema } from './visit.ts';

const reply = z.string().nullable();

/** An evening that is looked at again. */
export const keepsakeSchema = z.strictObject({
  /** Its last day, `YYYY-MM-DD`. */
  until: z.string(),
  recipient_name: z.string().nullable(),
  stages: z.array(stageContentSchema),
  answers: z.array(givenAnswersSchema),
  /** The trips that can be put into a calendar: `GET /keepsake/calendar/{1|2}/viaggio.ics`. */
  calendars: z.array(viaggioSchema),
  /** What she wrote back. */
  reply,
});
export type KeepsakeView = z.infer<typeof keepsakeSchema>;

/** The keepsake (`/ricordo`, decision 064), for the device that finished a visit. To any other there is none. */
export const keepsakeContract = {
  /** Is there one for this device, and has the code been typed lately? Tells nothing of the evening. */
  read: oc
    .route({ method: 'GET', path: '/keepsake', summary: 'Is there a keepsake for this device' })
    .output(z.strictObject({ open: z.boolean() }))
    .errors(errorMap('NO_KEEPSAKE')),
  /** Opens it for some hours with the visit's own code. A wrong one counts as at the door. */
  open: oc
    .route({ method: 'POST', path: '/keepsake/open', summary: 'Look at the evening again' })
    .input(z.strictObject({ token: z.string().max(10_000) }))
    .output(keepsakeSchema)
    .errors(errorMap('NO_KEEPSAKE', 'CODE_EMPTY', 'CODE_INVALID', 'TOO_MANY_ATTEMPTS')),
  /** Some lines for who prepared the evening, in place of those before; none takes them back. */
  reply: oc
    .route({ method: 'POST', path: '/keepsake/reply', summary: 'Write back' })
    .input(z.strictObject({ text: z.string().max(MAX_LENGTH.reply) }))
    .output(z.strictObject({ reply }))
    .errors(errorMap('NO_KEEPSAKE', 'KEEPSAKE_CLOSED')),
};
