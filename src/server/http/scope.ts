import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import type { IsTrustedProxy } from './address.ts';

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
