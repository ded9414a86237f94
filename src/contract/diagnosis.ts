import { z } from 'zod';
import { DIAGNOSIS, DIAGNOSIS_STEPS, FAULT_IDS, VERDICTS } from '../domain/diagnosis.ts';
import { keysOf } from '../domain/records.ts';
import { adminCall, call, errorMap } from './errors.ts';
import { deviceId } from './visit.ts';

const flag = z.boolean().optional();
const userAnswer = z.enum(['yes', 'no', 'unsure']).optional();
/** Way in which playback resumed: automatically, after one more tap, or not at all. */
const resumeResult = z.enum(['by_itself', 'tap', 'stuck']).optional();
const milliseconds = z.int().min(0).max(600_000).optional();

/** Test results and answers of a phone. An absent one was not tested, or was skipped; unknown fields are refused. */
export const findingsSchema = z.strictObject({
  in_app: flag,
  /** True if they survive a reload, as for `storage`. */
  cookies: flag,
  storage: flag,
  /** Text size as a multiple of the usual one. */
  letters: z.number().min(0).max(20).optional(),
  saves_data: flag,
  low_power: flag,
  /** Megabits per second; 0 if no data arrived. */
  mbit: z.number().min(0).max(100_000).optional(),
  delay_ms: milliseconds,
  /** `stopped`: it stalled. */
  film: z.enum(['played', 'stopped', 'refused', 'failed']).optional(),
  /** Time from the tap to the first moving picture. */
  first_frame_ms: milliseconds,
  /** `phone`: the phone's native player showed the film. */
  full_screen: z.enum(['element', 'css', 'phone']).optional(),
  audio_decoded: flag,
  awake: z.enum(['held', 'refused', 'missing']).optional(),
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
export type Findings = z.infer<typeof findingsSchema>;

const pass = z.string().max(500);
const over = errorMap('DIAGNOSIS_OVER');

/** Diagnosis of a phone, days before the evening (`/diagnostica`). No reply reveals anything about the evening or the phone's owner. */
export const diagnosisContract = {
  /** Succeeds if this browser's pass is still valid. */
  read: call('GET', '/diagnosis', 'May this phone be tried').output(z.strictObject({})).errors(over),
  /** Exchanges the pass for a cookie of the same validity. */
  enter: call('POST', '/diagnosis/enter', 'Come in with a pass')
    .input(z.strictObject({ pass }))
    .output(z.strictObject({}))
    .errors(over),
  /**
   * Stores the current findings. The phone generates `id`; the same `id` is the same phone.
   * A browser without cookies, which is itself a finding, sends `pass` each time.
   */
  report: call('POST', '/diagnosis/report', 'Tell what was found on this phone')
    .input(z.strictObject({ id: deviceId, findings: findingsSchema, pass: pass.optional() }))
    .output(z.strictObject({}))
    .errors(over),
};

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
  list: adminCall('GET', '/admin/diagnosis', 'Tried phones and open passes, newest first').output(
    z.strictObject({ passes: z.array(passSchema), phones: z.array(diagnosisSchema) }),
  ),
  /**
   * Returns the valid pass for the phone of that name, or creates one for a week; `anew` replaces a valid pass.
   * The pass is put into the address's fragment. `public_url` is the site address, null if the installation doesn't know it.
   */
  pass: adminCall('POST', '/admin/diagnosis/pass', 'A pass to try a phone')
    .input(
      z.strictObject({ nome: z.string().max(DIAGNOSIS.nameSigns).optional(), anew: z.boolean().optional() }),
    )
    .output(passSchema.extend({ pass: z.string(), public_url: z.string().nullable() })),
  /** Revokes a pass: phones that entered with it are refused from now on. */
  close: adminCall('DELETE', '/admin/diagnosis/pass/{id}', 'Close a pass')
    .input(z.strictObject({ id: passId }))
    .output(z.strictObject({}))
    .errors(errorMap('NOT_FOUND')),
  remove: adminCall('DELETE', '/admin/diagnosis/{id}', 'Forget a tried phone')
    .input(z.strictObject({ id: deviceId }))
    .output(z.strictObject({}))
    .errors(errorMap('NOT_FOUND')),
};
