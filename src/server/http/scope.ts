import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';

/** What is known of a request from its first moment to its line in the log. */
export type RequestScope = {
  request_id: string;
  started: number;
  /**
   * The address it asked for, as it is declared (`/media/{file}`): what varies in it is left out. Of the pages and their files it isn't
   * noted.
   */
  route?: string;
  /** Cuts a body that takes too long. Whoever knows its sender, and that it is long, clears it. */
  bodyTimer?: NodeJS.Timeout;
};

/** What Hono's handlers find in `c.env`: Node's own request and response, and the scope. */
export type Bindings = { incoming: IncomingMessage; outgoing: ServerResponse; scope: RequestScope };

/** What the steps before an answer have found out: a body's bytes, and the JSON in them; undefined where there is none. */
type BodyVariables = { bytes: Buffer; body: unknown };

export type HttpEnv = { Bindings: Bindings; Variables: BodyVariables };

export type HttpContext = Context<HttpEnv>;

/** Answers a request. */
export type Handler = (c: HttpContext) => Promise<Response>;

/** Refuses a request, or lets it go on. */
export type Middleware = MiddlewareHandler<HttpEnv>;

/** Notes which address it is that answers. */
export const setRoute =
  (route: string): Middleware =>
  ({ env: { scope } }, next) => {
    scope.route = route;
    return next();
  };

export function newScope(): RequestScope {
  return { request_id: randomUUID().slice(-12), started: performance.now() };
}
