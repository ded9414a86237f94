import { AsyncLocalStorage } from 'node:async_hooks';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Deps } from '../deps.ts';
import { isHttps } from '../http/https.ts';
import { cookiePrefix } from './cookie-names.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

export const BASE_PATH = '/api/auth';
/** Set by us on every request handed to better-auth; what a client sends under this name never gets there. */
export const ADDRESS_HEADER = 'x-client-ip';
/** However busy it is, a session ends after this. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60;

export type AuthDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'log' | 'now'>;

/** A hash made before better-auth opens its transaction: nothing else must wait for scrypt behind a database lock. */
export const preparedHash = new AsyncLocalStorage<string>();

/** The part of the settings that decides which tables and columns there are; `db/migrations` has made them. */
export const signInSchema = {
  emailAndPassword: { enabled: true },
  user: {
    // There is no way to send a letter, so that the old address can't be asked; the password is (sign-in.ts).
    changeEmail: { enabled: true, updateEmailWithoutVerification: true },
    additionalFields: {
      // The one chair of the administrator: see `takeSeat`.
      seat: { type: 'number', required: false, unique: true, input: false, returned: false },
    },
  },
  // Ours count wrong passwords, and only those (limits/): these count every call of a network, its right password too.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
} satisfies BetterAuthOptions;

export type BetterAuth = ReturnType<typeof createBetterAuth>;

export function createBetterAuth(deps: AuthDeps, secret: Buffer) {
  return betterAuth(betterAuthOptions(deps, secret));
}

/** better-auth as this product wants it: one administrator, a password, sessions of 7 days at most. */
function betterAuthOptions({ env, db, log }: AuthDeps, secret: Buffer): BetterAuthOptions {
  // The machine's own door is asked under the machine's own names.
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
  // Our own rules are stricter and have been applied before (passwords.ts).
  minPasswordLength: 1,
  maxPasswordLength: 1_024,
  password: {
    hash: async (password) => preparedHash.getStore() ?? (await hashPassword(password)),
    verify: ({ hash, password }) => verifyPassword(hash, password),
  },
};

type HookContext = { context: { internalAdapter: { countTotalUsers(): Promise<number> } } } | null;

/**
 * There is one seat, and its column is unique: of many who register at once the database lets one through, whatever each of them has
 * counted before. With open registration nobody takes it.
 */
async function takeSeat<U extends object>(user: U, context: HookContext, registration: 'first' | 'open') {
  if (registration === 'open') return { data: { ...user, seat: null } };
  const users = (await context?.context.internalAdapter.countTotalUsers()) ?? 0;
  if (users > 0)
    throw new APIError('FORBIDDEN', { code: 'REGISTRATION_CLOSED', message: 'Registration is closed.' });
  return { data: { ...user, seat: 1 } };
}

/** Without a public address the page's origin is the host that was asked, behind TLS or not. */
function sameHost(request: Request | undefined): string[] {
  const host = request && new URL(request.url).host;
  return host ? [`http://${host}`, `https://${host}`] : [];
}
