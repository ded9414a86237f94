import type { Deps } from '../deps.ts';
import { siteAddress } from '../http/address.ts';
import { bind, os, toCallError } from '../http/calls.ts';
import { isRefused, type Refusal, refuse } from '../refused.ts';

const brand = Symbol('AdminActor');

/** The signed-in administrator: proof of a checked session, created only here. */
export type AdminActor = {
  readonly user_id: string;
  readonly email: string;
  readonly session_id: string;
  readonly [brand]: true;
};

/** First argument of the administrator's services. Only the guard can create one. */
export type AdminCtx = Deps & { actor: AdminActor };

/** A valid session. */
export type AdminSession = { user_id: string; email: string; session_id: string };

/** Returns the administrator signed in by the session cookie in `headers`, or null. Counts as activity unless `quietly` is set. */
export async function readAdmin(
  auth: Auth,
  headers: Headers,
  options?: { quietly: boolean },
): Promise<AdminActor | null> {
  const session = await auth.readSession(headers, options);
  return session && { ...session, [brand]: true };
}

type RequestAuth = { deps: { auth: Auth }; headers: Headers };

/** Guards all administrator endpoints. */
export async function requireAdmin({
  deps,
  headers,
}: RequestAuth): Promise<{ actor: AdminActor } | Refusal<'SIGN_IN_REQUIRED'>> {
  const actor = await readAdmin(deps.auth, headers);
  return actor === null ? refuse('SIGN_IN_REQUIRED') : { actor };
}

/** Returns true if the session is still valid, during a response. */
export async function isStillAdmin({ deps, headers }: RequestAuth): Promise<boolean> {
  return (await readAdmin(deps.auth, headers, { quietly: true })) !== null;
}

/** Sign-in as the rest of the server uses it; created by `createAuth`. */
export type Auth = {
  /**
   * Answers a request under `/api/auth`; refusals have the form `{ codice, messaggio }`. `body` is the parsed JSON, `address` the client's
   * address behind trusted proxies. Rejects if the database is unavailable.
   */
  handle(input: { request: Request; body: unknown; address: string }): Promise<Response>;
  /** Returns the valid session of the cookie in `headers`, or null. Counts as activity unless `quietly` is set. */
  readSession(headers: Headers, options?: { quietly: boolean }): Promise<AdminSession | null>;
  /** Returns true if there is no administrator and no content. */
  isNew(): Promise<boolean>;
  /** Returns true if an administrator can still register. */
  registrationOpen(): Promise<boolean>;
  /**
   * Returns null if the caller may set up this install, as the first registrant may; otherwise the refusal. It is refused if a setup code
   * is required and wrong; wrong codes count as failed sign-ins.
   */
  refuseSetUp(input: {
    headers: Headers;
    address: string;
    setup_code: string | undefined;
  }): Promise<Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'> | null>;
  /** Returns the code that registration requires under this host, or null if it requires none. */
  setupCode(host: string | null): string | null;
};

/** The administrator's calls. Unauthenticated requests are refused before their input is parsed; services get an `AdminCtx`. */
export const adminCalls = os.admin.use(async ({ context, next }) => {
  const granted = await requireAdmin(context);
  if (isRefused(granted)) throw toCallError(granted);
  return next({ context: { deps: { ...context.deps, ...granted } } });
});

/** Returns the data of the sign-in page that needs no sign-in. */
export const registration = bind(os.admin.registration, async ({ auth, env }, _input, { headers }) => {
  const registration_open = await auth.registrationOpen();
  const first = registration_open && env.REGISTRATION === 'first';
  const needed = auth.setupCode(headers.get('host')) !== null;
  return {
    registration_open,
    first,
    setup_code_required: registration_open && needed,
    restorable: registration_open && (await auth.isNew()),
  };
});

export const me = bind(adminCalls.me, ({ actor, env, unnamedProxy, sharing }) => {
  return {
    email: actor.email,
    public_url: siteAddress({ env, sharing }),
    unnamed_proxy: unnamedProxy.seen,
    max_video_bytes: env.MAX_VIDEO_MB * 1024 ** 2,
  };
});
