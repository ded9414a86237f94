import { adminContract } from './admin.ts';
import { diagnosisContract } from './diagnosis.ts';
import { keepsakeContract } from './keepsake.ts';
import { visitContract } from './visit.ts';

/** The whole HTTP contract under `/api`. docs/architecture.md describes media, tickets, live events and better-auth's routes. */
export const contract = {
  visit: visitContract,
  keepsake: keepsakeContract,
  diagnosis: diagnosisContract,
  admin: adminContract,
};
