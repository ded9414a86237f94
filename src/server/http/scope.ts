import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';

/** What is known of a request from its first moment to its line in the log. */
export type Scope = {
  request_id: string;
  started: number;
  /** Cuts a body that takes too long. Whoever knows its sender, and that it is long, clears it. */
  bodyTimer?: NodeJS.Timeout;
};

/** What Hono's handlers find in `c.env`: Node's own request and response, and the scope. */
export type Bindings = { incoming: IncomingMessage; outgoing: ServerResponse; scope: Scope };

export type HttpContext = Context<{ Bindings: Bindings }>;

export function newScope(): Scope {
  return { request_id: randomBytes(6).toString('hex'), started: performance.now() };
}
