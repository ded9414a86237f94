import { archive, restore } from './admin/archive.ts';
import { bin } from './admin/bin.ts';
import { captions } from './admin/captions.ts';
import { config } from './admin/config.ts';
import { dashboard } from './admin/dashboard.ts';
import { diagnosis } from './admin/diagnosis.ts';
import { erase } from './admin/erase.ts';
import { light } from './admin/light.ts';
import { logs } from './admin/logs.ts';
import { media } from './admin/media.ts';
import { notifications } from './admin/notifications.ts';
import { planB } from './admin/plan-b.ts';
import { answers, questions } from './admin/questions.ts';
import { ready } from './admin/readiness.ts';
import { rehearsal } from './admin/rehearsal.ts';
import { sessions } from './admin/sessions.ts';
import { sharing } from './admin/sharing.ts';
import { me, registration } from './admin/sign-in.ts';
import { address } from './admin/site-address.ts';
import { tokens } from './admin/tokens.ts';

/** All administrator calls. */
export const adminContract = {
  registration,
  me,
  dashboard,
  ready,
  address,
  sharing,
  config,
  questions,
  answers,
  media,
  captions,
  light,
  tokens,
  bin,
  sessions,
  logs,
  notifications,
  rehearsal,
  diagnosis,
  erase,
  archive,
  restore,
  planB,
};
