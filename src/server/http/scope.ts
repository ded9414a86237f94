import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';

/** What is known of a request from its first moment to its line in the log. */
export type Scope = {
  request_id: string;
  started: number;
  /** Cuts a body that takes too long. Whoever knows its sender, and that it is long, clears it. */
  bodyTimer?: NodeJS.Timeout;
};

/** What Hono's handlers find in `c.env`: Node's own request and response, and the scope. */
export type Bindings = { incoming: IncomingMessage; outgoing: ServerResponse; scope: Scope };

/** What the steps before an answer have found out: a body's bytes, and the JSON in them; undefined where there is none. */
type Found = { bytes: Buffer; body: unknown };

export type HttpEnv = { Bindings: Bindings; Variables: Found };

export type HttpContext = Context<HttpEnv>;

/** Answers a request. */
export type Handler = (c: HttpContext) => Promise<Response>;

/** Refuses a request, or lets it go on. */
export type Step = MiddlewareHandler<HttpEnv>;

export function newScope(): Scope {
  return { request_id: randomUUID().slice(-12), started: performance.now() };
}
