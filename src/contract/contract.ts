import { adminContract } from './admin.ts';
import { diagnosisContract } from './diagnosis.ts';
import { keepsakeContract } from './keepsake.ts';
import { visitContract } from './visit.ts';

/** The whole HTTP contract under `/api`. Media, tickets, live events and better-auth's routes are described in docs/architecture.md. */
export const contract = {
  visit: visitContract,
  keepsake: keepsakeContract,
  diagnosis: diagnosisContract,
  admin: adminContract,
};
