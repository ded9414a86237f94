import { oc } from '@orpc/contract';
import { z } from 'zod';
import { READINESS_IDS, READINESS_STATES } from '../../domain/readiness-ids.ts';
import { REASON_IDS, REASON_LEVELS } from '../../domain/readiness-reasons.ts';
import { READY_VERDICTS } from '../../domain/readiness-verdict.ts';
import { signInErrors } from './sign-in-errors.ts';

const reasonSchema = z.strictObject({
  id: z.enum(REASON_IDS),
  level: z.enum(REASON_LEVELS),
  /** Page that fixes it; `part`: section of that page, null for its default. */
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
  /** Most severe first. */
  reasons: z.array(reasonSchema),
  /** Prepared and missing items, from the same facts; results of probes are not included. */
  prepared: z.array(preparedSchema),
  /** Time of the last complete check by probes; null before the first. Everything else is evaluated at each read. */
  asked_at: z.iso.datetime().nullable(),
  /** Number of finished probes while a check runs; `total` is 0 until it is known. */
  progress: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
});
export type ReadinessReport = z.infer<typeof readySchema>;

/** Readiness of the evening, computed by the server. */
export const ready = {
  read: oc
    .route({
      method: 'GET',
      path: '/admin/ready/answer',
      summary: 'Is the evening ready, and what speaks against it',
    })
    .output(readySchema)
    .errors(signInErrors),
  /** Runs all probes again; `read` returns the progress. */
  check: oc
    .route({ method: 'POST', path: '/admin/ready/check', summary: 'Try everything again' })
    .output(z.strictObject({}))
    .errors(signInErrors),
};
