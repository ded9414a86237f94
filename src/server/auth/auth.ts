import type { z } from 'zod';
import { isHttps } from '../http/https.ts';
import { errorReply, replyToResponse } from '../http/refusals.ts';
import { createRateLimiter } from '../limits/attempts.ts';
import { createSemaphore } from '../limits/semaphore.ts';
import { isRefused } from '../refused.ts';
import { isNewInstall } from './auth.repo.ts';
import type { Auth } from './auth-port.ts';
import { type AuthDeps, BASE_PATH, createBetterAuth } from './better-auth.ts';
import { prefixesOf, underOwnNames } from './cookie-names.ts';
import type { AuthResult } from './outcome.ts';
import {
  AUTH_ROUTES,
  type AuthPath,
  changeEmailBody,
  changePasswordBody,
  revokeOthersBody,
  signInBody,
  signUpBody,
} from './requests.ts';
import { loadConfiguredSecret } from './secrets.ts';
import { logSecurityEvent } from './security-events.ts';
import { activeAdminSessions, readSession } from './sessions.ts';
import { setupCodeFor } from './setup-code.ts';
import {
  type AuthRequest,
  changeEmail,
  changePassword,
  registrationOpen,
  revokeOthers,
  type SignInContext,
  setupRefusal,
  signIn,
  signOut,
  signUp,
} from './sign-in.ts';

/**
 * Passwords hashed concurrently; each takes 32 MiB and 0.3 s. The queue for networks without failures holds about 6 s of work, that for
 * networks with failures less.
 */
const HASHES = 2;
const HASHES_WAITING = { next: 40, last: 10 };

/** Creates the sign-in. The tables must exist; the secret is created at the first start. */
export async function createAuth(deps: AuthDeps): Promise<Auth> {
  const secret = await loadConfiguredSecret(deps.env, 'auth');
  const on: SignInContext = {
    deps,
    secret,
    auth: createBetterAuth(deps, secret),
    tries: createRateLimiter({ ...deps, semaphore: createSemaphore(HASHES, HASHES_WAITING) }),
    secure: isHttps(deps.env),
  };
  return {
    handle: (asked) => handle(on, asked),
    readSession: (headers, how) => readSession(on.auth, deps, underOwnNames(headers, prefixesOf(on)), how),
    refuseSetUp: (asked) => setupRefusal(on, asked),
    isNew: () => isNewInstall(deps.db),
    registrationOpen: () => registrationOpen(deps),
    setupCode: (host) => setupCodeFor(deps.env, secret, host),
  };
}

type Handler = (on: SignInContext, asked: AuthRequest) => Promise<AuthResult>;

const HANDLERS: Record<AuthPath, Handler> = {
  '/sign-in/email': withBody(signInBody, signIn),
  '/sign-up/email': withBody(signUpBody, signUp),
  '/change-password': withBody(changePasswordBody, changePassword),
  '/change-email': withBody(changeEmailBody, changeEmail),
  '/revoke-other-sessions': withBody(revokeOthersBody, revokeOthers),
  '/list-sessions': async (on, { request }) => {
    const open = await activeAdminSessions(on.auth, on.deps, request.headers);
    return open === null ? { refused: 'SIGN_IN_REQUIRED' } : { cookies: [], body: open };
  },
  '/sign-out': signOut,
  '/get-session': async (on, { request }) => {
    const session = await readSession(on.auth, on.deps, request.headers);
    return { cookies: [], body: session && { email: session.email } };
  },
};

/** Answers only the paths in `AUTH_ROUTES`; other paths of better-auth are unreachable. */
async function handle(on: SignInContext, asked: AuthRequest): Promise<Response> {
  const path = new URL(asked.request.url).pathname.slice(BASE_PATH.length);
  if (!isAuthPath(path)) return answer({ refused: 'NOT_FOUND' });
  const method = asked.request.method === 'HEAD' ? 'GET' : asked.request.method;
  if (method !== AUTH_ROUTES[path].method) return answer({ refused: 'METHOD_NOT_ALLOWED' });
  const headers = underOwnNames(asked.request.headers, prefixesOf(on));
  const request = new Request(asked.request.url, { method, headers });
  const outcome = await HANDLERS[path](on, { ...asked, request });
  await logSecurityEvent(on.deps, { path, outcome, asked: request });
  return answer(outcome);
}

function isAuthPath(path: string): path is AuthPath {
  return Object.hasOwn(AUTH_ROUTES, path);
}

function withBody<S extends z.ZodType>(
  schema: S,
  handler: (on: SignInContext, asked: AuthRequest, body: z.infer<S>) => Promise<AuthResult>,
): Handler {
  return async (on, asked) => {
    const body = schema.safeParse(asked.body);
    return body.success ? handler(on, asked, body.data) : { refused: 'BAD_INPUT' };
  };
}

function answer(outcome: AuthResult): Response {
  if (isRefused(outcome)) {
    const { refused, ...details } = outcome;
    return replyToResponse(errorReply(refused, details));
  }
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  for (const cookie of outcome.cookies) headers.append('Set-Cookie', cookie);
  return Response.json(outcome.body, { headers });
}
