import type { z } from 'zod';
import { isHttps } from '../http/address.ts';
import { errorReply, replyToResponse } from '../http/refusals.ts';
import { createRateLimiter, limitSignIn, type RateLimiter, signInLimitKeys } from '../limits/attempts.ts';
import { isRefused, type Refusal, refuse } from '../refused.ts';
import { createSemaphore } from '../work/semaphore.ts';
import type { AdminSession, Auth } from './actor.ts';
import { findUserId, isNewInstall, userExists } from './auth.repo.ts';
import {
  AUTH_ROUTES,
  type AuthDeps,
  type AuthPath,
  type AuthResult,
  BASE_PATH,
  type BetterAuth,
  changeEmailBody,
  changePasswordBody,
  createBetterAuth,
  isEmail,
  preparedHash,
  revokeOthersBody,
  signInBody,
  signUpBody,
  toAuthResult,
  toBetterAuthRequest,
} from './better-auth.ts';
import { hashPassword, passwordProblem } from './passwords.ts';
import { isSetupCode, loadConfiguredSecret, setupCodeFor } from './secrets.ts';
import { logSecurityEvent } from './security-events.ts';
import { activeAdminSessions, isCurrentPassword, readSession } from './sessions.ts';
import { cookiePrefixes, knownDeviceCookie, readKnownDevice, renameOldCookies } from './sign-in-cookies.ts';

/**
 * Passwords hashed concurrently; each takes 32 MiB and 0.3 s. The queue for networks without failures holds about 6 s of work, that for
 * networks with failures less.
 */
const HASHES = 2;
const HASHES_WAITING = { next: 40, last: 10 };

/** Dependencies of the sign-in calls. */
type SignIn = {
  deps: AuthDeps;
  auth: BetterAuth;
  attemptLimiter: RateLimiter;
  secret: Buffer;
  secure: boolean;
};

/** A call: the request with its current cookie names, its JSON body and the client's address. */
type Call = SignIn & { request: Request; body: unknown; address: string };

/** Creates the sign-in. The tables must exist; the secret is created at the first start. */
export async function createAuth(deps: AuthDeps): Promise<Auth> {
  const secret = await loadConfiguredSecret(deps.env, 'auth');
  const context: SignIn = {
    deps,
    secret,
    auth: createBetterAuth(deps, secret),
    attemptLimiter: createRateLimiter({ ...deps, semaphore: createSemaphore(HASHES, HASHES_WAITING) }),
    secure: isHttps(deps.env),
  };
  return {
    handle: (input) => handle({ ...context, ...input }),
    readSession: (headers, how) =>
      readSession(context.auth, deps, renameOldCookies(headers, cookiePrefixes(context)), how),
    refuseSetUp: (input) => setupRefusal(context, input),
    isNew: () => isNewInstall(deps.db),
    registrationOpen: () => registrationOpen(deps),
    setupCode: (host) => setupCodeFor(deps.env, secret, host),
  };
}

const HANDLERS: Record<AuthPath, (call: Call) => Promise<AuthResult>> = {
  '/sign-in/email': withBody(signInBody, signIn),
  '/sign-up/email': withBody(signUpBody, signUp),
  '/change-password': withBody(changePasswordBody, changePassword),
  '/change-email': withBody(changeEmailBody, changeEmail),
  '/revoke-other-sessions': withBody(revokeOthersBody, revokeOthers),
  '/list-sessions': async ({ auth, deps, request }) => {
    const open = await activeAdminSessions(auth, deps, request.headers);
    return open === null ? refuse('SIGN_IN_REQUIRED') : { cookies: [], body: open };
  },
  '/sign-out': signOut,
  '/get-session': async ({ auth, deps, request }) => {
    const session = await readSession(auth, deps, request.headers);
    return { cookies: [], body: session && { email: session.email } };
  },
};

/** Answers only the paths in `AUTH_ROUTES`; other paths of better-auth are unreachable. */
async function handle(call: Call): Promise<Response> {
  const { url } = call.request;
  const path = new URL(url).pathname.slice(BASE_PATH.length);
  if (!isAuthPath(path)) return toResponse(refuse('NOT_FOUND'));
  const method = call.request.method === 'HEAD' ? 'GET' : call.request.method;
  if (method !== AUTH_ROUTES[path].method) return toResponse(refuse('METHOD_NOT_ALLOWED'));
  const headers = renameOldCookies(call.request.headers, cookiePrefixes(call));
  const request = new Request(url, { method, headers });
  const result = await HANDLERS[path]({ ...call, request });
  await logSecurityEvent(call.deps, { path, result, request });
  return toResponse(result);
}

function isAuthPath(path: string): path is AuthPath {
  return Object.hasOwn(AUTH_ROUTES, path);
}

function withBody<S extends z.ZodType>(
  schema: S,
  handler: (call: Call, body: z.infer<S>) => Promise<AuthResult>,
): (call: Call) => Promise<AuthResult> {
  return async (call) => {
    const body = schema.safeParse(call.body);
    return body.success ? handler(call, body.data) : refuse('BAD_INPUT');
  };
}

function toResponse(result: AuthResult): Response {
  if (isRefused(result)) {
    const { refused, ...details } = result;
    return replyToResponse(errorReply(refused, details));
  }
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  for (const cookie of result.cookies) headers.append('Set-Cookie', cookie);
  return Response.json(result.body, { headers });
}

async function signIn(call: Call, { email, password }: z.infer<typeof signInBody>): Promise<AuthResult> {
  return runLimited(call, email, async () =>
    withDeviceCookie(call, email, await forward(call, '/sign-in/email', { email, password })),
  );
}

/** Registers the first administrator, or any with open registration. */
async function signUp(
  call: Call,
  { email, password, setup_code }: z.infer<typeof signUpBody>,
): Promise<AuthResult> {
  const { deps, secret, request } = call;
  if (!(await registrationOpen(deps))) return refuse('REGISTRATION_CLOSED');
  if (!isEmail(email)) return refuse('BAD_INPUT');
  const problem = await passwordProblem(password, email);
  if (problem) return refuse(problem);
  return runLimited(call, email, async () => {
    const expected = setupCodeFor(deps.env, secret, new URL(request.url).host);
    if (expected !== null && !isSetupCode(expected, setup_code)) return refuse('SETUP_CODE_WRONG');
    // Registration may have closed during the wait.
    if (!(await registrationOpen(deps))) return refuse('REGISTRATION_CLOSED');
    const hash = await hashPassword(password);
    const result = await preparedHash.run(hash, () =>
      forward(call, '/sign-up/email', { email, password, name: email }),
    );
    return withDeviceCookie(call, email, await reportIfClosed(deps, result));
  });
}

/** Returns null if the caller may set up the install before the first registration, otherwise the refusal. */
async function setupRefusal(
  { deps, secret, attemptLimiter }: SignIn,
  { headers, address, setup_code }: Parameters<Auth['refuseSetUp']>[0],
): ReturnType<Auth['refuseSetUp']> {
  const expected = setupCodeFor(deps.env, secret, headers.get('host'));
  if (expected === null) return null;
  const result = await limitSignIn<object>(
    { ...deps, rateLimiter: attemptLimiter },
    signInLimitKeys(secret, address, null),
    async () => (isSetupCode(expected, setup_code) ? {} : refuse('SETUP_CODE_WRONG')),
  );
  // No other refusal can occur here.
  return isRefused(result) ? (result as Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>) : null;
}

/** Changes the password and ends all other sessions of the administrator. */
async function changePassword(call: Call, body: z.infer<typeof changePasswordBody>): Promise<AuthResult> {
  const session = await readSession(call.auth, call.deps, call.request.headers);
  if (!session) return refuse('SIGN_IN_REQUIRED');
  const problem = await passwordProblem(body.newPassword, session.email);
  if (problem) return refuse(problem);
  return runLimited(call, session.email, async () =>
    withoutBody(await forward(call, '/change-password', { ...body, revokeOtherSessions: true })),
  );
}

/** Changes the e-mail address of the sign-in after a password check; sessions remain. */
async function changeEmail(
  call: Call,
  { password, newEmail }: z.infer<typeof changeEmailBody>,
): Promise<AuthResult> {
  if (!isEmail(newEmail)) return refuse('BAD_INPUT');
  return withPassword(call, password, async ({ email }) => {
    if (newEmail === email) return { cookies: [], body: { email } };
    if ((await findUserId(call.deps.db, newEmail)) !== null) return refuse('EMAIL_TAKEN');
    return withDeviceCookie(call, newEmail, await forward(call, '/change-email', { newEmail }));
  });
}

/** Ends all other sessions of the administrator after a password check. */
async function revokeOthers(call: Call, { password }: z.infer<typeof revokeOthersBody>): Promise<AuthResult> {
  return withPassword(call, password, async () =>
    withoutBody(await forward(call, '/revoke-other-sessions', {})),
  );
}

/** Runs `work` if the caller is signed in and knows the password; wrong passwords count as failed sign-ins. */
async function withPassword(
  call: Call,
  password: string,
  work: (session: AdminSession) => Promise<AuthResult>,
): Promise<AuthResult> {
  const { headers } = call.request;
  const session = await readSession(call.auth, call.deps, headers);
  if (!session) return refuse('SIGN_IN_REQUIRED');
  return runLimited(call, session.email, async () => {
    const isCorrect = await isCurrentPassword(call.auth, headers, password);
    return isCorrect ? work(session) : refuse('BAD_CREDENTIALS');
  });
}

async function signOut(call: Call): Promise<AuthResult> {
  const result = await forward(call, '/sign-out', {});
  // Otherwise the browser would use an older session cookie again.
  const { url, method, headers } = call.request;
  const older = renameOldCookies(headers, cookiePrefixes(call), { over: true });
  if (older !== headers)
    await forward({ ...call, request: new Request(url, { method, headers: older }) }, '/sign-out', {});
  return withoutBody(result);
}

async function registrationOpen({ env, db }: AuthDeps): Promise<boolean> {
  return env.REGISTRATION === 'open' || !(await userExists(db));
}

/**
 * Runs `work` within the limits of sign-in attempts. A device that has signed in to this account has its own counter, so that attempts of
 * others don't delay it.
 */
function runLimited(call: Call, email: string, work: () => Promise<AuthResult>): Promise<AuthResult> {
  const { deps, secret, attemptLimiter, request, address, secure } = call;
  const device = readKnownDevice(secret, request.headers.get('cookie'), email, secure);
  return limitSignIn(
    { ...deps, rateLimiter: attemptLimiter },
    signInLimitKeys(secret, address, device),
    work,
  );
}

async function forward({ auth, request, address }: Call, path: AuthPath, body: object): Promise<AuthResult> {
  return toAuthResult(await auth.handler(toBetterAuthRequest(request, path, body, address)), path);
}

function withDeviceCookie({ secret, secure }: Call, email: string, result: AuthResult): AuthResult {
  if (isRefused(result)) return result;
  return { cookies: [...result.cookies, knownDeviceCookie(secret, email, secure)], body: { email } };
}

const withoutBody = (result: AuthResult): AuthResult =>
  isRefused(result) ? result : { ...result, body: {} };

/** Reports REGISTRATION_CLOSED to the losers of concurrent registrations: better-auth only reports that creation failed. */
async function reportIfClosed(deps: AuthDeps, result: AuthResult): Promise<AuthResult> {
  const lost = isRefused(result) && result.refused === 'REGISTRATION_FAILED';
  return lost && !(await registrationOpen(deps)) ? refuse('REGISTRATION_CLOSED') : result;
}
