import type { z } from 'zod';
import type { RateLimiter } from '../limits/attempts.ts';
import type { LimitKeys } from '../limits/failures.repo.ts';
import { limitSignIn, signInLimitKeys } from '../limits/sign-in-attempts.ts';
import { isRefused, type Refusal } from '../refused.ts';
import type { AdminSession } from './actor.ts';
import { findUserId, userExists } from './auth.repo.ts';
import { ADDRESS_HEADER, type AuthDeps, type BetterAuth, preparedHash } from './better-auth.ts';
import { prefixesOf, underOwnNames } from './cookie-names.ts';
import { knownDeviceCookie, readKnownDevice } from './known-device.ts';
import { type AuthResult, toAuthResult } from './outcome.ts';
import { hashPassword, passwordProblem } from './passwords.ts';
import {
  type AuthPath,
  type changeEmailBody,
  type changePasswordBody,
  isEmail,
  requestFor,
  type revokeOthersBody,
  type signInBody,
  type signUpBody,
} from './requests.ts';
import { isCurrentPassword, readSession } from './sessions.ts';
import { isSetupCode, setupCodeFor } from './setup-code.ts';

/** Dependencies of the sign-in calls. */
export type SignInContext = {
  deps: AuthDeps;
  auth: BetterAuth;
  tries: RateLimiter;
  secret: Buffer;
  secure: boolean;
};

/** The original request, its JSON body and the client's address. */
export type AuthRequest = { request: Request; body: unknown; address: string };

export async function signIn(
  on: SignInContext,
  asked: AuthRequest,
  { email, password }: z.infer<typeof signInBody>,
): Promise<AuthResult> {
  return limited(on, guesserOf(on, asked, email), async () => {
    const outcome = await forward(on, asked, '/sign-in/email', { email, password });
    return welcome(on, email, outcome);
  });
}

/** Registers the first administrator, or any with open registration. */
export async function signUp(
  on: SignInContext,
  asked: AuthRequest,
  body: z.infer<typeof signUpBody>,
): Promise<AuthResult> {
  const { email, password } = body;
  if (!(await registrationOpen(on.deps))) return { refused: 'REGISTRATION_CLOSED' };
  if (!isEmail(email)) return { refused: 'BAD_INPUT' };
  const fault = await passwordProblem(password, email);
  if (fault) return { refused: fault };
  return limited(on, guesserOf(on, asked, email), async () => {
    const expected = setupCodeFor(on.deps.env, on.secret, new URL(asked.request.url).host);
    if (expected !== null && !isSetupCode(expected, body.setup_code)) return { refused: 'SETUP_CODE_WRONG' };
    // Registration may have closed during the wait.
    if (!(await registrationOpen(on.deps))) return { refused: 'REGISTRATION_CLOSED' };
    const hash = await hashPassword(password);
    const outcome = await preparedHash.run(hash, () =>
      forward(on, asked, '/sign-up/email', { email, password, name: email }),
    );
    return welcome(on, email, await losersFindItClosed(on, outcome));
  });
}

/** Returns null if the caller may set up the install before the first registration, otherwise the refusal. */
export async function setupRefusal(
  on: SignInContext,
  { headers, address, setup_code }: { headers: Headers; address: string; setup_code: string | undefined },
): Promise<Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'> | null> {
  const expected = setupCodeFor(on.deps.env, on.secret, headers.get('host'));
  if (expected === null) return null;
  const outcome = await limitSignIn<object>(
    { ...on.deps, rateLimiter: on.tries },
    signInLimitKeys(on.secret, address, null),
    async () => (isSetupCode(expected, setup_code) ? {} : { refused: 'SETUP_CODE_WRONG' }),
  );
  // No other refusal can occur here.
  return isRefused(outcome) ? (outcome as Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>) : null;
}

/** Changes the password and ends all other sessions of the administrator. */
export async function changePassword(
  on: SignInContext,
  asked: AuthRequest,
  body: z.infer<typeof changePasswordBody>,
): Promise<AuthResult> {
  const session = await readSession(on.auth, on.deps, asked.request.headers);
  if (!session) return { refused: 'SIGN_IN_REQUIRED' };
  const fault = await passwordProblem(body.newPassword, session.email);
  if (fault) return { refused: fault };
  return limited(on, guesserOf(on, asked, session.email), async () => {
    const outcome = await forward(on, asked, '/change-password', { ...body, revokeOtherSessions: true });
    return isRefused(outcome) ? outcome : { ...outcome, body: {} };
  });
}

/** Changes the e-mail address of the sign-in after a password check; sessions remain. */
export async function changeEmail(
  on: SignInContext,
  asked: AuthRequest,
  { password, newEmail }: z.infer<typeof changeEmailBody>,
): Promise<AuthResult> {
  if (!isEmail(newEmail)) return { refused: 'BAD_INPUT' };
  return withPassword(on, asked, password, async ({ email }) => {
    if (newEmail === email) return { cookies: [], body: { email } };
    if ((await findUserId(on.deps.db, newEmail)) !== null) return { refused: 'EMAIL_TAKEN' };
    return welcome(on, newEmail, await forward(on, asked, '/change-email', { newEmail }));
  });
}

/** Ends all other sessions of the administrator after a password check. */
export async function revokeOthers(
  on: SignInContext,
  asked: AuthRequest,
  { password }: z.infer<typeof revokeOthersBody>,
): Promise<AuthResult> {
  return withPassword(on, asked, password, async () => {
    const outcome = await forward(on, asked, '/revoke-other-sessions', {});
    return isRefused(outcome) ? outcome : { ...outcome, body: {} };
  });
}

/** Runs `work` if the caller is signed in and knows the password; wrong passwords count as failed sign-ins. */
async function withPassword(
  on: SignInContext,
  asked: AuthRequest,
  password: string,
  work: (session: AdminSession) => Promise<AuthResult>,
): Promise<AuthResult> {
  const { headers } = asked.request;
  const session = await readSession(on.auth, on.deps, headers);
  if (!session) return { refused: 'SIGN_IN_REQUIRED' };
  return limited(on, guesserOf(on, asked, session.email), async () => {
    const known = await isCurrentPassword(on.auth, headers, password);
    return known ? work(session) : { refused: 'BAD_CREDENTIALS' };
  });
}

export async function signOut(on: SignInContext, asked: AuthRequest): Promise<AuthResult> {
  const outcome = await forward(on, asked, '/sign-out', {});
  // Otherwise the browser would use an older session cookie again.
  const { url, method, headers } = asked.request;
  const older = underOwnNames(headers, prefixesOf(on), { over: true });
  if (older !== headers)
    await forward(on, { ...asked, request: new Request(url, { method, headers: older }) }, '/sign-out', {});
  return isRefused(outcome) ? outcome : { ...outcome, body: {} };
}

export async function registrationOpen({ env, db }: AuthDeps): Promise<boolean> {
  return env.REGISTRATION === 'open' || !(await userExists(db));
}

/** Runs `work` within the limits of sign-in attempts. */
const limited = (
  on: SignInContext,
  guesser: LimitKeys,
  work: () => Promise<AuthResult>,
): Promise<AuthResult> => limitSignIn({ ...on.deps, rateLimiter: on.tries }, guesser, work);

/**
 * Returns the counters of a request. A device that has signed in to this account has its own counter, so that attempts of others don't
 * delay it.
 */
function guesserOf(on: SignInContext, { request, address }: AuthRequest, email: string): LimitKeys {
  const device = readKnownDevice(on.secret, request.headers.get('cookie'), email, on.secure);
  return signInLimitKeys(on.secret, address, device);
}

async function forward(
  on: SignInContext,
  { request, address }: AuthRequest,
  path: AuthPath,
  body: object,
): Promise<AuthResult> {
  return toAuthResult(await on.auth.handler(requestFor(request, path, body, address, ADDRESS_HEADER)), path);
}

function welcome(on: SignInContext, email: string, outcome: AuthResult): AuthResult {
  if (isRefused(outcome)) return outcome;
  const cookies = [...outcome.cookies, knownDeviceCookie(on.secret, email, on.secure)];
  return { cookies, body: { email } };
}

/** Reports REGISTRATION_CLOSED to the losers of concurrent registrations: better-auth only reports that creation failed. */
async function losersFindItClosed(on: SignInContext, outcome: AuthResult): Promise<AuthResult> {
  const lost = isRefused(outcome) && outcome.refused === 'REGISTRATION_FAILED';
  return lost && !(await registrationOpen(on.deps)) ? { refused: 'REGISTRATION_CLOSED' } : outcome;
}
