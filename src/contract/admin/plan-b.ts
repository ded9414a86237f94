import { oc } from '@orpc/contract';
import { z } from 'zod';
import { PLAN_B_BLOCKERS, PLAN_B_FAILURES } from '../../domain/plan-b.ts';
import { signInErrors } from './sign-in-errors.ts';

const stateSchema = z.strictObject({
  /** Reason why a new one can't be created now. */
  hindrance: z.enum(PLAN_B_BLOCKERS).nullable(),
  /**
   * Current file. `size`: bytes of the sealed evening; `file_size`: approximate bytes of the file; `current`: true if a new one would have
   * the same content.
   */
  plan: z
    .strictObject({ made_at: z.string(), size: z.int(), file_size: z.int(), current: z.boolean() })
    .nullable(),
  making: z.boolean(),
  /** True while creation waits until no visitor is in the evening. */
  waits: z.boolean(),
  failed: z.enum(PLAN_B_FAILURES).nullable(),
});
export type PlanBState = z.infer<typeof stateSchema>;

/** Piano B: the evening without the site and without network (decision 077). */
export const planB = {
  read: oc
    .route({ method: 'GET', path: '/admin/plan-b', summary: 'The sealed evening there is' })
    .output(stateSchema)
    .errors(signInErrors),
  make: oc
    .route({ method: 'POST', path: '/admin/plan-b', summary: 'Have the evening sealed as it is now' })
    .input(z.strictObject({}))
    .output(stateSchema)
    .errors(signInErrors),
};
