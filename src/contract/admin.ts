import { address } from './admin/address.ts';
import { captions } from './admin/captions.ts';
import { config } from './admin/config.ts';
import { dashboard } from './admin/dashboard.ts';
import { diagnosis } from './admin/diagnosis.ts';
import { light } from './admin/light.ts';
import { logs } from './admin/logs.ts';
import { media } from './admin/media.ts';
import { notifications } from './admin/notifications.ts';
import { answers, questions } from './admin/questions.ts';
import { rehearsal } from './admin/rehearsal.ts';
import { sessions } from './admin/sessions.ts';
import { me, registration } from './admin/sign-in.ts';
import { sounds } from './admin/sounds.ts';
import { tokens } from './admin/tokens.ts';

/** Every call of the administrator's side. */
export const adminContract = {
  registration,
  me,
  dashboard,
  address,
  config,
  questions,
  answers,
  media,
  captions,
  sounds,
  light,
  tokens,
  sessions,
  logs,
  notifications,
  rehearsal,
  diagnosis,
};
