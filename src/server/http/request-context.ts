import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { isRefused, type Refusal } from '../refused.ts';
import { clientAddress, type IsTrustedProxy } from './address.ts';
import {
  expiredPassCookie,
  noVisitCookies,
  type PassCookie,
  passCookie,
  readPassCookies,
  readVisitCookie,
  visitCookie,
} from './cookies.ts';
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
  cookies: { visit: string | null } & Record<PassCookie, string | null>;
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
  const context: RequestContext = {
    deps,
    request_id: scope.request_id,
    address: addressOf(c),
    user_agent: (incoming.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH),
    connection: incoming.socket,
    cookies: {
      visit: readVisitCookie(deps, incoming.headers.cookie),
      ...readPassCookies(deps, incoming.headers.cookie),
    },
    // Created on demand: requests for parts of a film don't need it.
    get headers() {
      return c.req.raw.headers;
    },
    setVisitCookie: (secret) => answerHeaders.push(['Set-Cookie', visitCookie(deps, secret)]),
    clearVisitCookie: () => {
      for (const line of noVisitCookies(deps, incoming.headers.cookie))
        answerHeaders.push(['Set-Cookie', line]);
    },
    setPassCookie: (of, pass, ends) =>
      answerHeaders.push(['Set-Cookie', passCookie(deps, of, { pass, ends, now: deps.now() })]),
    clearPassCookie: (of) => answerHeaders.push(['Set-Cookie', expiredPassCookie(deps, of)]),
    clearSiteData: () => answerHeaders.push(['Clear-Site-Data', '"cache"']),
  };
  return { context, answerHeaders };
}

/** Returns the client's address behind trusted proxies. */
export function addressOf(c: HttpContext): string {
  const { incoming } = c.env;
  const forwarded = incoming.headers['x-forwarded-for'];
  return clientAddress(
    incoming.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    c.get('server').isTrustedProxy,
  );
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

/** Hono's `c.env`: Node's request and response, and the scope. */
export type Bindings = { incoming: IncomingMessage; outgoing: ServerResponse; scope: RequestScope };

/** What handlers need of the server, set by `app.ts`. */
export type ServerVariable = { deps: Deps; isTrustedProxy: IsTrustedProxy };

/** Variables set by middleware. `bytes` and `body`: the request's body and its JSON; undefined if there is none. */
type Variables = { server: ServerVariable; bytes: Buffer; body: unknown };

export type HttpEnv = { Bindings: Bindings; Variables: Variables };

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
