import { oc } from '@orpc/contract';
import { z } from 'zod';
import {
  AWAKE,
  DIAGNOSIS,
  DIAGNOSIS_STEPS,
  FAULT_IDS,
  FILM_ENDS,
  FILM_SCREENS,
  RESUME_RESULTS,
  USER_ANSWERS,
  VERDICTS,
} from '../domain/diagnosis.ts';
import { keysOf } from '../domain/records.ts';
import { errorMap, signInErrors } from './errors.ts';
import { deviceId } from './visit.ts';

const flag = z.boolean().optional();
const userAnswer = z.enum(USER_ANSWERS).optional();
const resumeResult = z.enum(RESUME_RESULTS).optional();
const milliseconds = z.int().min(0).max(600_000).optional();

/** The domain's `Findings`: test results and answers of a phone. Unknown fields are refused. */
export const findingsSchema = z.strictObject({
  in_app: flag,
  cookies: flag,
  storage: flag,
  letters: z.number().min(0).max(20).optional(),
  saves_data: flag,
  low_power: flag,
  mbit: z.number().min(0).max(100_000).optional(),
  delay_ms: milliseconds,
  film: z.enum(FILM_ENDS).optional(),
  first_frame_ms: milliseconds,
  full_screen: z.enum(FILM_SCREENS).optional(),
  audio_decoded: flag,
  awake: z.enum(AWAKE).optional(),
  heard: userAnswer,
  fills: userAnswer,
  buttons: userAnswer,
  song: resumeResult,
  song_heard: userAnswer,
  faded: userAnswer,
  turned: flag,
  back_held: flag,
  away: resumeResult,
  lock: resumeResult,
  ticket: userAnswer,
});

const pass = z.string().max(500);
const over = errorMap('DIAGNOSIS_OVER');

/** Diagnosis of a phone, days before the evening (`/diagnostica`). No reply reveals anything about the evening or the phone's owner. */
export const diagnosisContract = {
  /** Succeeds if this browser's pass is still valid. */
  read: oc
    .route({ method: 'GET', path: '/diagnosis', summary: 'May this phone be tried' })
    .output(z.strictObject({}))
    .errors(over),
  /** Exchanges the pass for a cookie of the same validity. */
  enter: oc
    .route({ method: 'POST', path: '/diagnosis/enter', summary: 'Come in with a pass' })
    .input(z.strictObject({ pass }))
    .output(z.strictObject({}))
    .errors(over),
  /**
   * Stores the current findings. The phone generates `id`; the same `id` is the same phone.
   * A browser without cookies, which is itself a finding, sends `pass` each time.
   */
  report: oc
    .route({ method: 'POST', path: '/diagnosis/report', summary: 'Tell what was found on this phone' })
    .input(z.strictObject({ id: deviceId, findings: findingsSchema, pass: pass.optional() }))
    .output(z.strictObject({}))
    .errors(over),
};

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
