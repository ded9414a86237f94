import type { z } from 'zod';
import type { RateLimiter } from '../limits/attempts.ts';
import type { LimitKeys } from '../limits/failures.repo.ts';
import { limitSignIn, signInLimitKeys } from '../limits/sign-in-attempts.ts';
import { isRefused, type Refusal, refuse } from '../refused.ts';
import type { AdminSession } from './actor.ts';
import { findUserId, userExists } from './auth.repo.ts';
import { ADDRESS_HEADER, type AuthDeps, type BetterAuth, preparedHash } from './better-auth.ts';
import { cookiePrefixes, renameOldCookies } from './cookie-names.ts';
import { knownDeviceCookie, readKnownDevice } from './known-device.ts';
import { type AuthResult, toAuthResult } from './outcome.ts';
import { hashPassword, passwordProblem } from './passwords.ts';
import {
  type AuthPath,
  type changeEmailBody,
  type changePasswordBody,
  isEmail,
  type revokeOthersBody,
  type signInBody,
  type signUpBody,
  toBetterAuthRequest,
} from './requests.ts';
import { isCurrentPassword, readSession } from './sessions.ts';
import { isSetupCode, setupCodeFor } from './setup-code.ts';

/** Dependencies of the sign-in calls. */
export type SignInContext = {
  deps: AuthDeps;
  auth: BetterAuth;
  attemptLimiter: RateLimiter;
  secret: Buffer;
  secure: boolean;
};

/** The original request, its JSON body and the client's address. */
export type AuthRequest = { request: Request; body: unknown; address: string };

export async function signIn(
  context: SignInContext,
  authRequest: AuthRequest,
  { email, password }: z.infer<typeof signInBody>,
): Promise<AuthResult> {
  return runLimited(context, limitKeysFor(context, authRequest, email), async () => {
    const result = await forward(context, authRequest, '/sign-in/email', { email, password });
    return withDeviceCookie(context, email, result);
  });
}

/** Registers the first administrator, or any with open registration. */
export async function signUp(
  context: SignInContext,
  authRequest: AuthRequest,
  body: z.infer<typeof signUpBody>,
): Promise<AuthResult> {
  const { email, password } = body;
  if (!(await registrationOpen(context.deps))) return refuse('REGISTRATION_CLOSED');
  if (!isEmail(email)) return refuse('BAD_INPUT');
  const problem = await passwordProblem(password, email);
  if (problem) return refuse(problem);
  return runLimited(context, limitKeysFor(context, authRequest, email), async () => {
    const expected = setupCodeFor(context.deps.env, context.secret, new URL(authRequest.request.url).host);
    if (expected !== null && !isSetupCode(expected, body.setup_code)) return refuse('SETUP_CODE_WRONG');
    // Registration may have closed during the wait.
    if (!(await registrationOpen(context.deps))) return refuse('REGISTRATION_CLOSED');
    const hash = await hashPassword(password);
    const result = await preparedHash.run(hash, () =>
      forward(context, authRequest, '/sign-up/email', { email, password, name: email }),
    );
    return withDeviceCookie(context, email, await reportIfClosed(context, result));
  });
}

/** Returns null if the caller may set up the install before the first registration, otherwise the refusal. */
export async function setupRefusal(
  context: SignInContext,
  { headers, address, setup_code }: { headers: Headers; address: string; setup_code: string | undefined },
): Promise<Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'> | null> {
  const expected = setupCodeFor(context.deps.env, context.secret, headers.get('host'));
  if (expected === null) return null;
  const result = await limitSignIn<object>(
    { ...context.deps, rateLimiter: context.attemptLimiter },
    signInLimitKeys(context.secret, address, null),
    async () => (isSetupCode(expected, setup_code) ? {} : refuse('SETUP_CODE_WRONG')),
  );
  // No other refusal can occur here.
  return isRefused(result) ? (result as Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>) : null;
}

/** Changes the password and ends all other sessions of the administrator. */
export async function changePassword(
  context: SignInContext,
  authRequest: AuthRequest,
  body: z.infer<typeof changePasswordBody>,
): Promise<AuthResult> {
  const session = await readSession(context.auth, context.deps, authRequest.request.headers);
  if (!session) return refuse('SIGN_IN_REQUIRED');
  const problem = await passwordProblem(body.newPassword, session.email);
  if (problem) return refuse(problem);
  return runLimited(context, limitKeysFor(context, authRequest, session.email), async () => {
    const result = await forward(context, authRequest, '/change-password', {
      ...body,
      revokeOtherSessions: true,
    });
    return isRefused(result) ? result : { ...result, body: {} };
  });
}

/** Changes the e-mail address of the sign-in after a password check; sessions remain. */
export async function changeEmail(
  context: SignInContext,
  authRequest: AuthRequest,
  { password, newEmail }: z.infer<typeof changeEmailBody>,
): Promise<AuthResult> {
  if (!isEmail(newEmail)) return refuse('BAD_INPUT');
  return withPassword(context, authRequest, password, async ({ email }) => {
    if (newEmail === email) return { cookies: [], body: { email } };
    if ((await findUserId(context.deps.db, newEmail)) !== null) return refuse('EMAIL_TAKEN');
    return withDeviceCookie(
      context,
      newEmail,
      await forward(context, authRequest, '/change-email', { newEmail }),
    );
  });
}

/** Ends all other sessions of the administrator after a password check. */
export async function revokeOthers(
  context: SignInContext,
  authRequest: AuthRequest,
  { password }: z.infer<typeof revokeOthersBody>,
): Promise<AuthResult> {
  return withPassword(context, authRequest, password, async () => {
    const result = await forward(context, authRequest, '/revoke-other-sessions', {});
    return isRefused(result) ? result : { ...result, body: {} };
  });
}

/** Runs `work` if the caller is signed in and knows the password; wrong passwords count as failed sign-ins. */
async function withPassword(
  context: SignInContext,
  authRequest: AuthRequest,
  password: string,
  work: (session: AdminSession) => Promise<AuthResult>,
): Promise<AuthResult> {
  const { headers } = authRequest.request;
  const session = await readSession(context.auth, context.deps, headers);
  if (!session) return refuse('SIGN_IN_REQUIRED');
  return runLimited(context, limitKeysFor(context, authRequest, session.email), async () => {
    const isCorrect = await isCurrentPassword(context.auth, headers, password);
    return isCorrect ? work(session) : refuse('BAD_CREDENTIALS');
  });
}

export async function signOut(context: SignInContext, authRequest: AuthRequest): Promise<AuthResult> {
  const result = await forward(context, authRequest, '/sign-out', {});
  // Otherwise the browser would use an older session cookie again.
  const { url, method, headers } = authRequest.request;
  const older = renameOldCookies(headers, cookiePrefixes(context), { over: true });
  if (older !== headers)
    await forward(
      context,
      { ...authRequest, request: new Request(url, { method, headers: older }) },
      '/sign-out',
      {},
    );
  return isRefused(result) ? result : { ...result, body: {} };
}

export async function registrationOpen({ env, db }: AuthDeps): Promise<boolean> {
  return env.REGISTRATION === 'open' || !(await userExists(db));
}

/** Runs `work` within the limits of sign-in attempts. */
const runLimited = (
  context: SignInContext,
  keys: LimitKeys,
  work: () => Promise<AuthResult>,
): Promise<AuthResult> => limitSignIn({ ...context.deps, rateLimiter: context.attemptLimiter }, keys, work);

/**
 * Returns the counters of a request. A device that has signed in to this account has its own counter, so that attempts of others don't
 * delay it.
 */
function limitKeysFor(context: SignInContext, { request, address }: AuthRequest, email: string): LimitKeys {
  const device = readKnownDevice(context.secret, request.headers.get('cookie'), email, context.secure);
  return signInLimitKeys(context.secret, address, device);
}

async function forward(
  context: SignInContext,
  { request, address }: AuthRequest,
  path: AuthPath,
  body: object,
): Promise<AuthResult> {
  return toAuthResult(
    await context.auth.handler(toBetterAuthRequest(request, path, body, address, ADDRESS_HEADER)),
    path,
  );
}

function withDeviceCookie(context: SignInContext, email: string, result: AuthResult): AuthResult {
  if (isRefused(result)) return result;
  const cookies = [...result.cookies, knownDeviceCookie(context.secret, email, context.secure)];
  return { cookies, body: { email } };
}

/** Reports REGISTRATION_CLOSED to the losers of concurrent registrations: better-auth only reports that creation failed. */
async function reportIfClosed(context: SignInContext, result: AuthResult): Promise<AuthResult> {
  const lost = isRefused(result) && result.refused === 'REGISTRATION_FAILED';
  return lost && !(await registrationOpen(context.deps)) ? refuse('REGISTRATION_CLOSED') : result;
}
