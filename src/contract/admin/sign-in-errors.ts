import { errorMap } from '../error-map.ts';

/** What every call of the administrator refuses with when nobody is signed in. */
export const signInErrors = errorMap('SIGN_IN_REQUIRED');
