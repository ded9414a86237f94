import { AsyncLocalStorage } from 'node:async_hooks';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Deps } from '../deps.ts';
import { isHttps } from '../http/address.ts';
import { type Refusal, refuse } from '../refused.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { cookiePrefix } from './sign-in-cookies.ts';

export const BASE_PATH = '/api/auth';
/** Set by the server on each request to better-auth; a client's header of this name is dropped. */
const ADDRESS_HEADER = 'x-client-ip';
/** Maximum age of a session in seconds, even if it is in use. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60;

export type AuthDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'log' | 'now'>;

/** Hash computed before better-auth opens its transaction, so that nothing waits for scrypt while a database lock is held. */
export const preparedHash = new AsyncLocalStorage<string>();

/** The settings that determine tables and columns; `db/migrations` has created them. */
export const signInSchema = {
  emailAndPassword: { enabled: true },
  user: {
    // No e-mail can be sent, so the old address can't confirm; the password does (auth.ts).
    changeEmail: { enabled: true, updateEmailWithoutVerification: true },
    additionalFields: {
      // Unique number of the only administrator: see `takeSeat`.
      seat: { type: 'number', required: false, unique: true, input: false, returned: false },
    },
  },
  // The server's own limits (limits/) count only wrong passwords; better-auth's count all calls of a network.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
} satisfies BetterAuthOptions;

export type BetterAuth = ReturnType<typeof createBetterAuth>;

/** Creates better-auth for one administrator with a password and sessions of at most 7 days. */
export function createBetterAuth({ env, db, log }: AuthDeps, secret: Buffer) {
  // The machine's own listener is requested under the machine's own names.
  const address = env.listener === undefined ? env.PUBLIC_URL : undefined;
  return betterAuth({
    ...signInSchema,
    ...(address === undefined ? {} : { baseURL: address }),
    basePath: BASE_PATH,
    secret: secret.toString('base64url'),
    database: { db, type: env.DATABASE_URL === undefined ? 'sqlite' : 'postgres', transaction: true },
    emailAndPassword: passwordOptions,
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true, cookieCache: { enabled: false } },
    databaseHooks: {
      user: { create: { before: (user, context) => takeSeat(user, context, env.REGISTRATION) } },
    },
    advanced: {
      useSecureCookies: isHttps(env),
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      cookiePrefix: cookiePrefix(secret),
    },
    trustedOrigins: (request) => (address === undefined ? sameHost(request) : [address]),
    onAPIError: { throw: true },
    logger: { level: 'error', log: (level, message) => log[level]({ component: 'auth' }, message) },
  });
}

const passwordOptions: NonNullable<BetterAuthOptions['emailAndPassword']> = {
  enabled: true,
  // The server's stricter rules have been applied before (passwords.ts).
  minPasswordLength: 1,
  maxPasswordLength: 1_024,
  password: {
    hash: async (password) => preparedHash.getStore() ?? (await hashPassword(password)),
    verify: ({ hash, password }) => verifyPassword(hash, password),
  },
};

type HookContext = { context: { internalAdapter: { countTotalUsers(): Promise<number> } } } | null;

/**
 * Takes the only seat. Its column is unique: of concurrent registrations the database admits one, regardless of the earlier counts. With
 * open registration the seat stays empty.
 */
async function takeSeat<U extends object>(user: U, context: HookContext, registration: 'first' | 'open') {
  if (registration === 'open') return { data: { ...user, seat: null } };
  const users = (await context?.context.internalAdapter.countTotalUsers()) ?? 0;
  if (users > 0)
    throw new APIError('FORBIDDEN', { code: 'REGISTRATION_CLOSED', message: 'Registration is closed.' });
  return { data: { ...user, seat: 1 } };
}

/** Without a public address the page's origin is the requested host, with or without TLS. */
function sameHost(request: Request | undefined): string[] {
  const host = request && new URL(request.url).host;
  return host ? [`http://${host}`, `https://${host}`] : [];
}

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
): Request {
  const headers = new Headers({ 'content-type': 'application/json', [ADDRESS_HEADER]: address });
  for (const name of FORWARDED_HEADERS) {
    const value = original.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set('user-agent', (original.headers.get('user-agent') ?? '').slice(0, 500));
  const url = new URL(`${BASE_PATH}${path}`, original.url);
  return new Request(url, { method: AUTH_ROUTES[path].method, headers, body: JSON.stringify(body) });
}

/** Result of a sign-in call: its cookies and JSON, or a refusal. */
export type AuthResult = { cookies: string[]; body: unknown } | Refusal;

const CODES: Record<string, ErrorCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'BAD_CREDENTIALS',
  INVALID_EMAIL: 'BAD_CREDENTIALS',
  INVALID_PASSWORD: 'BAD_CREDENTIALS',
  PASSWORD_TOO_SHORT: 'WEAK_PASSWORD',
  PASSWORD_TOO_LONG: 'LONG_PASSWORD',
  REGISTRATION_CLOSED: 'REGISTRATION_CLOSED',
  USER_ALREADY_EXISTS: 'REGISTRATION_FAILED',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'REGISTRATION_FAILED',
  FAILED_TO_CREATE_USER: 'REGISTRATION_FAILED',
  INVALID_ORIGIN: 'FORBIDDEN_ORIGIN',
  MISSING_OR_NULL_ORIGIN: 'FORBIDDEN_ORIGIN',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'FORBIDDEN_ORIGIN',
  UNAUTHORIZED: 'SIGN_IN_REQUIRED',
};

/** Converts better-auth's response; error bodies are replaced by known refusals. Throws if the cause isn't the client's request. */
export async function toAuthResult(response: Response, path: AuthPath): Promise<AuthResult> {
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return { cookies: response.headers.getSetCookie(), body };
  const code = errorCodeIn(body);
  if (response.status === 401 && !(code in CODES)) return refuse('SIGN_IN_REQUIRED');
  const codice = CODES[code];
  if (codice) return refuse(codice);
  if (response.status < 500) return refuse('BAD_INPUT');
  throw new Error(`Sign-in failed at ${path} with ${response.status} ${code}`);
}

function errorCodeIn(body: unknown): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
}
