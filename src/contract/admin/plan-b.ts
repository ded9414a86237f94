import { oc } from '@orpc/contract';
import { z } from 'zod';
import { PLAN_B_FAILURES, PLAN_B_HINDRANCES, PLAN_B_PASS } from '../../domain/plan-b.ts';
import { refusals } from '../refusals.ts';
import { passId } from './pass-id.ts';
import { signedIn } from './signed-in.ts';

const passFields = {
  id: z.int(),
  /** Whose phone it is; maybe empty. */
  nome: z.string(),
  scadenza: z.string(),
};

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
  /** Who may keep it, those that were let in last first. */
  phones: z.array(
    z.strictObject({
      ...passFields,
      /** When the phone was heard last, and what it called itself; null and empty before that. */
      seen_at: z.string().nullable(),
      user_agent: z.string(),
      /** What it keeps: nothing yet, an evening that is old, or the one there is, as it would be made now. */
      keeps: z.enum(['nothing', 'old', 'current']),
    }),
  ),
});
export type PlanBState = z.infer<typeof stateSchema>;

/** The evening without the site and without network (decision 077). */
export const planB = {
  read: oc
    .route({ method: 'GET', path: '/admin/plan-b', summary: 'The sealed evening there is' })
    .output(stateSchema)
    .errors(signedIn),
  make: oc
    .route({ method: 'POST', path: '/admin/plan-b', summary: 'Have the evening sealed as it is now' })
    .input(z.strictObject({}))
    .output(stateSchema)
    .errors(signedIn),
  /** A pass for the phone of that name, in place of the one before. It travels in the address's fragment. `public_url` is the site's own address, where the installation knows it. */
  pass: oc
    .route({ method: 'POST', path: '/admin/plan-b/pass', summary: 'Let a phone keep the sealed evening' })
    .input(z.strictObject({ nome: z.string().max(PLAN_B_PASS.nameSigns) }))
    .output(z.strictObject({ ...passFields, pass: z.string(), public_url: z.string().nullable() }))
    .errors(signedIn),
  /** Takes a pass back: at its next word to the server the phone lets go of everything. */
  close: oc
    .route({ method: 'DELETE', path: '/admin/plan-b/pass/{id}', summary: 'Have a phone let go of it' })
    .input(z.strictObject({ id: passId }))
    .output(z.strictObject({}))
    .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
};
