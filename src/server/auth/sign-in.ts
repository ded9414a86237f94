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

/** What the calls of sign-in stand on. */
export type SignInContext = {
  deps: AuthDeps;
  auth: BetterAuth;
  tries: RateLimiter;
  secret: Buffer;
  secure: boolean;
};

/** A request as it came, its JSON, and whose it is. */
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

/** The first administrator, or anybody where the installation says so. */
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
    // It may have closed while this one waited for its turn.
    if (!(await registrationOpen(on.deps))) return { refused: 'REGISTRATION_CLOSED' };
    const hash = await hashPassword(password);
    const outcome = await preparedHash.run(hash, () =>
      forward(on, asked, '/sign-up/email', { email, password, name: email }),
    );
    return welcome(on, email, await losersFindItClosed(on, outcome));
  });
}

/** Null for who may make the install what they want, before anybody has registered. */
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
  // What else it can be refused with is what refuses here.
  return isRefused(outcome) ? (outcome as Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>) : null;
}

/** Every other session of the administrator ends with the old password. */
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

/** Another e-mail to sign in with, for who knows the password; the sessions stay. */
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

/** Every other session of the administrator ends; this one stays. */
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

/** Does something for who is signed in and knows the password; guesses are counted as those of signing in. */
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
  // An older session beside it would be the browser's again.
  const { url, method, headers } = asked.request;
  const older = underOwnNames(headers, prefixesOf(on), { over: true });
  if (older !== headers)
    await forward(on, { ...asked, request: new Request(url, { method, headers: older }) }, '/sign-out', {});
  return isRefused(outcome) ? outcome : { ...outcome, body: {} };
}

export async function registrationOpen({ env, db }: AuthDeps): Promise<boolean> {
  return env.REGISTRATION === 'open' || !(await userExists(db));
}

/** Lets somebody guess, unless they have to wait. */
const limited = (
  on: SignInContext,
  guesser: LimitKeys,
  work: () => Promise<AuthResult>,
): Promise<AuthResult> => limitSignIn({ ...on.deps, rateLimiter: on.tries }, guesser, work);

/** A device that has signed in to this account before is counted by itself: who keeps guessing beside it makes it wait as little as anybody else. */
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

/** Of many who register at once the database lets one through; better-auth only says that the others could not be made. */
async function losersFindItClosed(on: SignInContext, outcome: AuthResult): Promise<AuthResult> {
  const lost = isRefused(outcome) && outcome.refused === 'REGISTRATION_FAILED';
  return lost && !(await registrationOpen(on.deps)) ? { refused: 'REGISTRATION_CLOSED' } : outcome;
}
