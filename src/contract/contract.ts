import { archive, erase, restore } from './admin/archive.ts';
import { answers, config, questions } from './admin/config.ts';
import { dashboard, me, ready, registration } from './admin/dashboard.ts';
import { logs, sessions } from './admin/logs.ts';
import { captions, light, media } from './admin/media.ts';
import { notifications } from './admin/notifications.ts';
import { planB, rehearsal } from './admin/rehearsal.ts';
import { address, sharing } from './admin/site-address.ts';
import { bin, tokens } from './admin/tokens.ts';
import { diagnosis, diagnosisContract } from './diagnosis.ts';
import { keepsakeContract, visitContract } from './visit.ts';

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

/** The whole HTTP contract under `/api`. docs/architecture.md describes media, tickets, live events and better-auth's routes. */
export const contract = {
  visit: visitContract,
  keepsake: keepsakeContract,
  diagnosis: diagnosisContract,
  admin: adminContract,
};
