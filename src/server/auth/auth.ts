import type { z } from 'zod';
import { isHttps } from '../http/address.ts';
import { errorReply, replyToResponse } from '../http/refusals.ts';
import { createRateLimiter } from '../limits/attempts.ts';
import { createSemaphore } from '../limits/semaphore.ts';
import { isRefused, refuse } from '../refused.ts';
import { isNewInstall } from './auth.repo.ts';
import type { Auth } from './auth-port.ts';
import { type AuthDeps, BASE_PATH, createBetterAuth } from './better-auth.ts';
import { cookiePrefixes, renameOldCookies } from './cookie-names.ts';
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
  const context: SignInContext = {
    deps,
    secret,
    auth: createBetterAuth(deps, secret),
    attemptLimiter: createRateLimiter({ ...deps, semaphore: createSemaphore(HASHES, HASHES_WAITING) }),
    secure: isHttps(deps.env),
  };
  return {
    handle: (authRequest) => handle(context, authRequest),
    readSession: (headers, how) =>
      readSession(context.auth, deps, renameOldCookies(headers, cookiePrefixes(context)), how),
    refuseSetUp: (authRequest) => setupRefusal(context, authRequest),
    isNew: () => isNewInstall(deps.db),
    registrationOpen: () => registrationOpen(deps),
    setupCode: (host) => setupCodeFor(deps.env, secret, host),
  };
}

type Handler = (context: SignInContext, authRequest: AuthRequest) => Promise<AuthResult>;

const HANDLERS: Record<AuthPath, Handler> = {
  '/sign-in/email': withBody(signInBody, signIn),
  '/sign-up/email': withBody(signUpBody, signUp),
  '/change-password': withBody(changePasswordBody, changePassword),
  '/change-email': withBody(changeEmailBody, changeEmail),
  '/revoke-other-sessions': withBody(revokeOthersBody, revokeOthers),
  '/list-sessions': async (context, { request }) => {
    const open = await activeAdminSessions(context.auth, context.deps, request.headers);
    return open === null ? refuse('SIGN_IN_REQUIRED') : { cookies: [], body: open };
  },
  '/sign-out': signOut,
  '/get-session': async (context, { request }) => {
    const session = await readSession(context.auth, context.deps, request.headers);
    return { cookies: [], body: session && { email: session.email } };
  },
};

/** Answers only the paths in `AUTH_ROUTES`; other paths of better-auth are unreachable. */
async function handle(context: SignInContext, authRequest: AuthRequest): Promise<Response> {
  const path = new URL(authRequest.request.url).pathname.slice(BASE_PATH.length);
  if (!isAuthPath(path)) return toResponse(refuse('NOT_FOUND'));
  const method = authRequest.request.method === 'HEAD' ? 'GET' : authRequest.request.method;
  if (method !== AUTH_ROUTES[path].method) return toResponse(refuse('METHOD_NOT_ALLOWED'));
  const headers = renameOldCookies(authRequest.request.headers, cookiePrefixes(context));
  const request = new Request(authRequest.request.url, { method, headers });
  const result = await HANDLERS[path](context, { ...authRequest, request });
  await logSecurityEvent(context.deps, { path, result, request });
  return toResponse(result);
}

function isAuthPath(path: string): path is AuthPath {
  return Object.hasOwn(AUTH_ROUTES, path);
}

function withBody<S extends z.ZodType>(
  schema: S,
  handler: (context: SignInContext, authRequest: AuthRequest, body: z.infer<S>) => Promise<AuthResult>,
): Handler {
  return async (context, authRequest) => {
    const body = schema.safeParse(authRequest.body);
    return body.success ? handler(context, authRequest, body.data) : refuse('BAD_INPUT');
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
