import { AsyncLocalStorage } from 'node:async_hooks';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Deps } from '../deps.ts';
import { isHttps } from '../http/address.ts';
import { cookiePrefix } from './cookie-names.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

export const BASE_PATH = '/api/auth';
/** Set by the server on each request to better-auth; a client's header of this name is dropped. */
export const ADDRESS_HEADER = 'x-client-ip';
/** Maximum age of a session in seconds, even if it is in use. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60;

export type AuthDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'log' | 'now'>;

/** Hash computed before better-auth opens its transaction, so that nothing waits for scrypt while a database lock is held. */
export const preparedHash = new AsyncLocalStorage<string>();

/** The settings that determine tables and columns; `db/migrations` has created them. */
export const signInSchema = {
  emailAndPassword: { enabled: true },
  user: {
    // No e-mail can be sent, so the old address can't confirm; the password does (sign-in.ts).
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

export function createBetterAuth(deps: AuthDeps, secret: Buffer) {
  return betterAuth(betterAuthOptions(deps, secret));
}

/** Options of better-auth: one administrator, a password, sessions of at most 7 days. */
function betterAuthOptions({ env, db, log }: AuthDeps, secret: Buffer): BetterAuthOptions {
  // The machine's own listener is requested under the machine's own names.
  const address = env.listener === undefined ? env.PUBLIC_URL : undefined;
  return {
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
  };
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
