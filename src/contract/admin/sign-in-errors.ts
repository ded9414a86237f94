import { errorMap } from '../error-map.ts';

/** Refusal of every administrator call without a sign-in. */
export const signInErrors = errorMap('SIGN_IN_REQUIRED');
