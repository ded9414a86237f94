import { oc } from '@orpc/contract';
import { z } from 'zod';
import { AWAKE, FILM_ENDS, FILM_SCREENS, RESUME_RESULTS, USER_ANSWERS } from '../domain/diagnosis.ts';
import { errorMap } from './error-map.ts';
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
