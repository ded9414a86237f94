import { oc } from '@orpc/contract';
import { z } from 'zod';
import { AWAKE, FILM_ENDS, FILM_SCREENS, GIVEN_ANSWERS, RESUME_RESULTS } from '../domain/diagnosis.ts';
import { errorMap } from './error-map.ts';
import { deviceId } from './visit.ts';

const flag = z.boolean().optional();
const given = z.enum(GIVEN_ANSWERS).optional();
const goingOn = z.enum(RESUME_RESULTS).optional();
const milliseconds = z.int().min(0).max(600_000).optional();

/** The domain's `Findings`: what the page tried and what was answered. Whatever else is sent is refused. */
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
  heard: given,
  fills: given,
  buttons: given,
  song: goingOn,
  song_heard: given,
  faded: given,
  turned: flag,
  back_held: flag,
  away: goingOn,
  lock: goingOn,
  ticket: given,
});

const pass = z.string().max(500);
const over = errorMap('DIAGNOSIS_OVER');

/** The trial of a phone, days before the evening (`/diagnostica`). No answer of these tells anything of the evening, nor whose phone it is. */
export const diagnosisContract = {
  /** Is the pass that this browser holds still good? */
  read: oc
    .route({ method: 'GET', path: '/diagnosis', summary: 'May this phone be tried' })
    .output(z.strictObject({}))
    .errors(over),
  /** The phone gives the pass and gets a cookie for as long as the pass is good. */
  enter: oc
    .route({ method: 'POST', path: '/diagnosis/enter', summary: 'Come in with a pass' })
    .input(z.strictObject({ pass }))
    .output(z.strictObject({}))
    .errors(over),
  /**
   * What has been found so far; the same `id`, drawn by the phone, is the same phone. Who keeps no cookies, which is something to be told, brings
   * the pass again.
   */
  report: oc
    .route({ method: 'POST', path: '/diagnosis/report', summary: 'Tell what was found on this phone' })
    .input(z.strictObject({ id: deviceId, findings: findingsSchema, pass: pass.optional() }))
    .output(z.strictObject({}))
    .errors(over),
};
