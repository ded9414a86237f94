import { refusals } from '../refusals.ts';

/** What every call of the administrator refuses with when nobody is signed in. */
export const signedIn = refusals('SIGN_IN_REQUIRED');
