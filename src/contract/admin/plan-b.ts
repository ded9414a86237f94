import { oc } from '@orpc/contract';
import { z } from 'zod';
import { PLAN_B_FAILURES, PLAN_B_HINDRANCES } from '../../domain/plan-b.ts';
import { signInErrors } from './sign-in-errors.ts';

const stateSchema = z.strictObject({
  /** Why another can't be made now. */
  hindrance: z.enum(PLAN_B_HINDRANCES).nullable(),
  /** The one there is. `size`: bytes of the sealed evening, `file_size` about those of the file; `current`: it is what would be made now. */
  plan: z
    .strictObject({ made_at: z.string(), size: z.int(), file_size: z.int(), current: z.boolean() })
    .nullable(),
  making: z.boolean(),
  /** It is made when nobody is in the evening any more. */
  waits: z.boolean(),
  failed: z.enum(PLAN_B_FAILURES).nullable(),
});
export type PlanBState = z.infer<typeof stateSchema>;

/** The evening without the site and without network (decision 077). */
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
