import { createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { parse, serialize } from 'hono/utils/cookie';
import { VISIT_LIFETIME_MS } from '../../domain/limits.ts';
import { eachOf, keysOf } from '../../domain/records.ts';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { isRefused, type Refusal } from '../refused.ts';
import { clientAddress, type IsTrustedProxy, isHttps } from './address.ts';
import { errorResponse } from './refusals.ts';

const USER_AGENT_LENGTH = 500;

/** A request's data and the server's dependencies. */
export type RequestContext = {
  deps: Deps;
  request_id: string;
  /** The client's address behind trusted proxies. */
  address: string;
  user_agent: string;
  connection: Socket;
  cookies: Record<CookieName, string | null>;
  headers: Headers;
  /** Sets the visitor cookie. */
  setVisitCookie(secret: string): void;
  clearVisitCookie(): void;
  /** Sets a pass cookie until the pass ends. */
  setPassCookie(of: PassCookie, pass: string, ends: Date): void;
  clearPassCookie(of: PassCookie): void;
  /** Clears the browser's cache, so that nothing of the evening stays on the device. */
  clearSiteData(): void;
};

/** Returns the context of a request, and the headers that a call sets on its response. */
export function requestContext(c: HttpContext): {
  context: RequestContext;
  answerHeaders: [string, string][];
} {
  const { incoming, scope } = c.env;
  const { deps } = c.get('server');
  const answerHeaders: [string, string][] = [];
  const addCookies = (...values: string[]) => {
    for (const value of values) answerHeaders.push(['Set-Cookie', value]);
  };
  const context: RequestContext = {
    deps,
    request_id: scope.request_id,
    address: addressOf(c),
    user_agent: (incoming.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH),
    connection: incoming.socket,
    cookies: readCookies(deps, incoming.headers.cookie),
    // Created on demand: requests for parts of a film don't need it.
    get headers() {
      return c.req.raw.headers;
    },
    setVisitCookie: (secret) => addCookies(cookieHeader(deps, 'visit', secret, VISIT_LIFETIME_MS)),
    clearVisitCookie: () => addCookies(...clearedVisitCookies(deps, incoming.headers.cookie)),
    setPassCookie: (of, pass, ends) =>
      addCookies(cookieHeader(deps, of, pass, ends.getTime() - deps.now().getTime())),
    clearPassCookie: (of) => addCookies(cookieHeader(deps, of, '', 0)),
    clearSiteData: () => answerHeaders.push(['Clear-Site-Data', '"cache"']),
  };
  return { context, answerHeaders };
}

/** Returns the client's address behind trusted proxies. */
export function addressOf(c: HttpContext): string {
  const { incoming } = c.env;
  const forwarded = [incoming.headers['x-forwarded-for']].flat().join(',');
  return clientAddress(incoming.socket.remoteAddress, forwarded, c.get('server').isTrustedProxy);
}

/** Creates a handler behind a guard. `ctx` contains the dependencies and what the guard has granted. */
export function guarded<G extends object>(
  guard: (request: RequestContext, c: HttpContext) => Promise<G>,
  answer: (c: HttpContext, ctx: Deps & Exclude<G, Refusal>, request: RequestContext) => Promise<Response>,
): Handler {
  return async (c) => {
    const { context } = requestContext(c);
    const granted = await guard(context, c);
    if (isRefused(granted)) return errorResponse(granted.refused);
    return answer(c, { ...context.deps, ...(granted as Exclude<G, Refusal>) }, context);
  };
}

/** Data of a request from its start to its log line. */
export type RequestScope = {
  request_id: string;
  started: number;
  /** The declared path (`/media/{file}`), without variable parts. Unset for pages and their files. */
  route?: string;
  /** Aborts a slow body. Handlers that accept long bodies of a known sender clear it. */
  bodyTimer?: NodeJS.Timeout;
};

export type HttpEnv = {
  /** Hono's `c.env`: Node's request and response, and the scope. */
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse; scope: RequestScope };
  /** Set by middleware. `body`: the JSON of the request's body; undefined if there is none. */
  Variables: { server: { deps: Deps; isTrustedProxy: IsTrustedProxy }; body: unknown };
};

export type HttpContext = Context<HttpEnv>;

/** Answers a request. */
export type Handler = (c: HttpContext) => Promise<Response>;

/** Refuses a request or passes it on. */
export type Middleware = MiddlewareHandler<HttpEnv>;

/** Stores the declared path of the request. */
export const setRoute =
  (route: string): Middleware =>
  ({ env: { scope } }, next) => {
    scope.route = route;
    return next();
  };

export function newScope(): RequestScope {
  return { request_id: randomUUID().slice(-12), started: performance.now() };
}

type Settings = { env: Pick<Env, 'PUBLIC_URL' | 'listener'> } & Pick<Deps, 'cookieId'>;

/**
 * Returns an id that separates the cookies of two installs on one host, because browsers send them to all ports. Derived from the sign-in
 * secret, which all nodes share and archives contain.
 */
export function cookieIdOf(authSecret: Buffer): string {
  return createHmac('sha256', authSecret).update('cookie names').digest('hex').slice(0, 8);
}

/** `prefix`: with HTTPS. Browsers send passes only with requests of the site's own pages. */
const PASS = { prefix: '__Secure-', sameSite: 'Strict', form: /^[A-Za-z0-9._-]{16,200}$/ } as const;
/** Cookies of visit, rehearsal, phone test and keepsake. Separate names, so that they don't replace each other. */
const COOKIES = {
  // The prefix prevents other hosts and paths from setting the cookie.
  visit: { name: 'sid', path: '/', prefix: '__Host-', sameSite: 'Lax', form: /^[A-Za-z0-9_-]{16,200}$/ },
  rehearsal: { name: 'prova', path: '/api', ...PASS },
  diagnosis: { name: 'diagnosi', path: '/api/diagnosis', ...PASS },
  keepsake: { name: 'ricordo', path: '/api', ...PASS },
} as const;
type CookieName = keyof typeof COOKIES;
type PassCookie = Exclude<CookieName, 'visit'>;

/** Cookies that survive a restore into another install, where they are also read under the former id; a foreign secret matches nothing. */
const MOVING: ReadonlySet<CookieName> = new Set(['visit', 'keepsake']);

/** Returns the name of releases up to 0.2, which had no id, and this install's own. */
function namesOf({ env, cookieId }: Settings, of: CookieName) {
  const old = `${isHttps(env) ? COOKIES[of].prefix : ''}${COOKIES[of].name}`;
  return { old, own: `${old}_${cookieId}` };
}

/** Returns the secrets and passes in the browser's cookies; null without a well-formed one. Prefers the install's own name. */
export function readCookies(
  settings: Settings,
  header: string | undefined,
): Record<CookieName, string | null> {
  const sent = parse(header ?? '');
  return eachOf(keysOf(COOKIES), (of) => {
    const { own, old } = namesOf(settings, of);
    const former = Object.keys(sent).filter((name) => MOVING.has(of) && name.startsWith(`${old}_`));
    const values = [own, old, ...former].map((name) => sent[name] ?? '');
    return values.find((value) => COOKIES[of].form.test(value)) ?? null;
  });
}

/** Returns the `Set-Cookie` value of a cookie that is valid for a time in ms. Without that time it deletes the cookie. */
export function cookieHeader(
  settings: Settings,
  of: CookieName,
  value: string,
  lifetimeMs: number,
  name = namesOf(settings, of).own,
): string {
  const { path, sameSite } = COOKIES[of];
  const maxAge = Math.max(0, Math.floor(lifetimeMs / 1_000));
  return serialize(name, value, { httpOnly: true, sameSite, path, secure: isHttps(settings.env), maxAge });
}

/** Returns the `Set-Cookie` values that delete the visit's cookie, also under the old name if the visit began with that. */
export function clearedVisitCookies(settings: Settings, header: string | undefined): string[] {
  const { own, old } = namesOf(settings, 'visit');
  const names = Object.hasOwn(parse(header ?? ''), own) ? [own] : [own, old];
  return names.map((name) => cookieHeader(settings, 'visit', '', 0, name));
}
