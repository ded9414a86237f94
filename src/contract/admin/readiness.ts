import { oc } from '@orpc/contract';
import { z } from 'zod';
import { READINESS_IDS, READINESS_STATES } from '../../domain/readiness-ids.ts';
import { REASON_IDS, REASON_LEVELS } from '../../domain/readiness-reasons.ts';
import { READY_VERDICTS } from '../../domain/readiness-verdict.ts';
import { signInErrors } from './sign-in-errors.ts';

const reasonSchema = z.strictObject({
  id: z.enum(REASON_IDS),
  level: z.enum(REASON_LEVELS),
  /** Where it is mended; `part`: the part of that page, where it opens with another one. */
  page: z.string(),
  part: z.string().nullable(),
});

const preparedSchema = z.strictObject({
  id: z.enum(READINESS_IDS),
  state: z.enum(READINESS_STATES),
  page: z.string(),
});
export type ReadinessEntry = z.infer<typeof preparedSchema>;

const readySchema = z.strictObject({
  verdict: z.enum(READY_VERDICTS),
  /** The gravest first. */
  reasons: z.array(reasonSchema),
  /** What is prepared and what lacks, out of the same facts; what was only tried isn't among it. */
  prepared: z.array(preparedSchema),
  /** When everything was tried last; null: never yet. What needs no trying is looked at anew each time. */
  asked_at: z.iso.datetime().nullable(),
  /** How many of the things to try have been tried, while that is under way; of 0 it isn't known yet. */
  progress: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
});
export type ReadinessReport = z.infer<typeof readySchema>;

/** Is the evening ready? One answer, computed by the server. */
export const ready = {
  read: oc
    .route({
      method: 'GET',
      path: '/admin/ready/answer',
      summary: 'Is the evening ready, and what speaks against it',
    })
    .output(readySchema)
    .errors(signInErrors),
  /** Has everything tried again; how far that is says `read`. */
  check: oc
    .route({ method: 'POST', path: '/admin/ready/check', summary: 'Try everything again' })
    .output(z.strictObject({}))
    .errors(signInErrors),
};
