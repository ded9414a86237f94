import { oc } from '@orpc/contract';
import { z } from 'zod';
import { DIAGNOSIS, DIAGNOSIS_STEPS, FAULT_IDS, VERDICTS } from '../../domain/diagnosis.ts';
import { keysOf } from '../../domain/records.ts';
import { findingsSchema } from '../diagnosis.ts';
import { errorMap } from '../error-map.ts';
import { deviceId } from '../visit.ts';
import { signInErrors } from './sign-in-errors.ts';

const notFoundErrors = { ...signInErrors, ...errorMap('NOT_FOUND') };
const passSchema = z.strictObject({
  id: z.int(),
  /** Name of the phone's owner; may be empty. */
  nome: z.string(),
  scadenza: z.string(),
});

/** Number of a pass, from the path. */
const passId = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(z.int32());

const diagnosisSchema = z.strictObject({
  id: z.string(),
  nome: z.string(),
  at: z.string(),
  user_agent: z.string(),
  findings: findingsSchema,
  /** Computed from the findings at each read. */
  verdict: z.enum(VERDICTS),
  faults: z.array(z.enum(FAULT_IDS)),
  untried: z.array(z.enum(keysOf(DIAGNOSIS_STEPS))),
});

/** Tested phones, and passes that admit more. */
export const diagnosis = {
  list: oc
    .route({ method: 'GET', path: '/admin/diagnosis', summary: 'Tried phones and open passes, newest first' })
    .output(z.strictObject({ passes: z.array(passSchema), phones: z.array(diagnosisSchema) }))
    .errors(signInErrors),
  /**
   * Returns the valid pass for the phone of that name, or creates one for a week; `anew` replaces a valid pass.
   * The pass is put into the address's fragment. `public_url` is the site address, null if the installation doesn't know it.
   */
  pass: oc
    .route({ method: 'POST', path: '/admin/diagnosis/pass', summary: 'A pass to try a phone' })
    .input(
      z.strictObject({ nome: z.string().max(DIAGNOSIS.nameSigns).optional(), anew: z.boolean().optional() }),
    )
    .output(passSchema.extend({ pass: z.string(), public_url: z.string().nullable() }))
    .errors(signInErrors),
  /** Revokes a pass: phones that entered with it are refused from now on. */
  close: oc
    .route({ method: 'DELETE', path: '/admin/diagnosis/pass/{id}', summary: 'Close a pass' })
    .input(z.strictObject({ id: passId }))
    .output(z.strictObject({}))
    .errors(notFoundErrors),
  remove: oc
    .route({ method: 'DELETE', path: '/admin/diagnosis/{id}', summary: 'Forget a tried phone' })
    .input(z.strictObject({ id: deviceId }))
    .output(z.strictObject({}))
    .errors(notFoundErrors),
};
