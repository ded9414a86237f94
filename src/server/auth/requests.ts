import { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import { BASE_PATH } from './better-auth.ts';

const email = z
  .string()
  .max(1_000)
  .transform((text) => text.trim().toLowerCase());
const password = z.string().max(1_024);

export const signInBody = z.strictObject({ email, password });
/** `name` is accepted and ignored: the administrator is identified by the e-mail address. */
export const signUpBody = z.strictObject({
  email,
  password,
  name: z.string().max(1_000).optional(),
  setup_code: z.string().max(1_000).optional(),
});
export const changePasswordBody = z.strictObject({ currentPassword: password, newPassword: password });

export const changeEmailBody = z.strictObject({ password, newEmail: email });
export const revokeOthersBody = z.strictObject({ password });

const get = (summary: string, ...refusals: ErrorCode[]) => ({ method: 'GET', summary, refusals }) as const;
const post = (summary: string, input?: z.ZodType, ...refusals: ErrorCode[]) =>
  ({ method: 'POST', summary, ...(input && { input }), refusals }) as const;
const CONFIRMED: ErrorCode[] = ['SIGN_IN_REQUIRED', 'BAD_CREDENTIALS'];
const PASSWORD: ErrorCode[] = ['WEAK_PASSWORD', 'LONG_PASSWORD', 'COMMON_PASSWORD'];
const REGISTRATION: ErrorCode[] = ['REGISTRATION_CLOSED', 'SETUP_CODE_WRONG'];

/** Reachable routes of better-auth, relative to `/api/auth`. */
export const AUTH_ROUTES = {
  '/sign-in/email': post('Sign in', signInBody, 'BAD_CREDENTIALS', 'TOO_MANY_ATTEMPTS'),
  '/sign-up/email': post('Register the first administrator', signUpBody, ...PASSWORD, ...REGISTRATION),
  '/sign-out': post('Sign out'),
  '/get-session': get('The session of the cookie, or null'),
  '/change-password': post('Change the password; every other session ends', changePasswordBody, ...CONFIRMED),
  '/change-email': post('Change the e-mail of the sign-in', changeEmailBody, ...CONFIRMED, 'EMAIL_TAKEN'),
  '/list-sessions': get('The active sessions of the signed-in administrator', 'SIGN_IN_REQUIRED'),
  '/revoke-other-sessions': post('End every other session', revokeOthersBody, ...CONFIRMED),
};

export type AuthPath = keyof typeof AUTH_ROUTES;

export const isEmail = (text: string): boolean => text.length <= 254 && z.email().safeParse(text).success;

/** Client headers that better-auth reads; all others are dropped. */
const FORWARDED_HEADERS = [
  'cookie',
  'origin',
  'referer',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
] as const;

/** Builds the request for better-auth from the client's request, the validated body and the trusted client address. */
export function toBetterAuthRequest(
  original: Request,
  path: AuthPath,
  body: object,
  address: string,
  addressHeader: string,
): Request {
  const headers = new Headers({ 'content-type': 'application/json', [addressHeader]: address });
  for (const name of FORWARDED_HEADERS) {
    const value = original.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set('user-agent', (original.headers.get('user-agent') ?? '').slice(0, 500));
  const url = new URL(`${BASE_PATH}${path}`, original.url);
  return new Request(url, { method: AUTH_ROUTES[path].method, headers, body: JSON.stringify(body) });
}
