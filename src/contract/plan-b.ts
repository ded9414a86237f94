import { oc } from '@orpc/contract';
import { z } from 'zod';
import { questionsSchema, viaggioSchema } from './records.ts';
import { refusals } from './refusals.ts';

const over = refusals('PLAN_B_OVER');
const pass = z.string().max(500);
/** A sealed evening is known by this. */
const version = z.uuid().nullable();
/** Base64url; both questions of both trips fit in. */
const sealed = z
  .string()
  .max(40_000)
  .regex(/^[A-Za-z0-9_-]+$/);

/** What a phone has sealed to the site. `id` is drawn by the phone, once for each walk through the evening; what is told is the phone's word and clock. */
export const keptAnswersSchema = z.strictObject({
  id: z.uuid(),
  /** Known to whoever opened the evening with that code. */
  token_id: z.uuid(),
  started_at: z.iso.datetime(),
  /** When it was seen to its end; null until then. */
  completed_at: z.iso.datetime().nullable(),
  /** As they were asked. */
  questions: questionsSchema,
  answers: z
    .array(
      z.strictObject({
        viaggio: viaggioSchema,
        risposta_1: z.boolean(),
        risposta_2: z.boolean(),
      }),
    )
    .min(1)
    .max(2),
});
export type KeptAnswers = z.infer<typeof keptAnswersSchema>;

/** The evening kept on a phone beforehand (`/piano-b/`). No answer of these tells anything of the evening. */
export const planBContract = {
  /** The phone gives the pass and gets a cookie for as long as the pass is good. */
  enter: oc
    .route({ method: 'POST', path: '/plan-b/enter', summary: 'Come in with a pass' })
    .input(z.strictObject({ pass }))
    .output(z.strictObject({}))
    .errors(over),
  /**
   * The phone says which sealed evening it keeps, if any, and is told which one there is now, and the key to which its answers are sealed (a point of
   * P-256, base64url). Refused: it has to let go of everything.
   */
  kept: oc
    .route({ method: 'POST', path: '/plan-b/kept', summary: 'May this phone keep the sealed evening' })
    .input(z.strictObject({ version }))
    .output(z.strictObject({ version, key: z.string() }))
    .errors(over),
  /** Answers that were given without the site; the same ones again change nothing. They need no pass: it may be gone by then. */
  answers: oc
    .route({ method: 'POST', path: '/plan-b/answers', summary: 'Bring the answers of a sealed evening' })
    .input(z.strictObject({ sealed }))
    .output(z.strictObject({}))
    .errors(refusals('PLAN_B_UNREADABLE', 'PLAN_B_CODE_GONE')),
};
