import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { metricEvents } from '../counted.ts';
import type { Deps } from '../deps.ts';
import { hasValidHost } from './edge.ts';
import { toErrorReply } from './failures.ts';
import { errorResponse, replyToResponse } from './refusals.ts';
import { type HttpEnv, newScope, type RequestScope } from './scope.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * How long a body may take, in ms: 64 kB come in ten seconds even where a phone has 50 kbit/s. It is cut without an answer: whoever asks
 * again because the network is bad must not hear that something was wrong with what it said.
 */
const BODY_MS = 15_000;

/**
 * Puts the app behind Node's own server. Security headers are set before anything else runs, so that no answer goes without; one line is
 * logged when the answer has left or the client has. While the process drains, the answer is its connection's last.
 */
export function createListener(
  app: Hono<HttpEnv>,
  { env, log, drain }: Pick<Deps, 'env' | 'log' | 'drain'>,
): RequestListener {
  const scopes = new WeakMap<object, RequestScope>();
  const headers = Object.entries(securityHeaders(env));
  // A request's line has nothing in it that would have to be left out.
  const lines = log.child({}, { redact: [] });
  const answer = getRequestListener(
    (request, bindings) => {
      const { incoming, outgoing } = bindings as { incoming: IncomingMessage; outgoing: ServerResponse };
      if (!hasValidHost(incoming)) return errorResponse('BAD_INPUT');
      return app.fetch(request, { incoming, outgoing, scope: scopes.get(incoming) ?? newScope() });
    },
    { errorHandler: (error) => unanswerable(error, log) },
  );
  return (incoming, outgoing) => {
    const scope = newScope();
    scopes.set(incoming, scope);
    for (const [name, value] of headers) outgoing.setHeader(name, value);
    outgoing.setHeader('X-Request-Id', scope.request_id);
    if (drain.begun) outgoing.setHeader('Connection', 'close');
    limitBody(incoming, scope);
    outgoing.once('close', () => {
      logRequest(lines, scope, incoming, outgoing);
      const { method = '' } = incoming;
      metricEvents.request.emit({ method, route: scope.route ?? 'pages', status: outgoing.statusCode });
    });
    void answer(incoming, outgoing);
  };
}

function limitBody(incoming: IncomingMessage, scope: RequestScope): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers;
  if (length === '0' && encoding === undefined) return;
  const timer = setTimeout(() => void (incoming.complete || incoming.destroy()), BODY_MS);
  scope.bodyTimer = timer;
  incoming.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** What doesn't get as far as the app: an address or a host that can't be read. */
function unanswerable(error: unknown, log: Logger): Response {
  if (error instanceof RequestError) return errorResponse('BAD_INPUT');
  return replyToResponse(toErrorReply(error, { ...newScope(), log }));
}

function logRequest(
  log: Logger,
  scope: RequestScope,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const line = {
    request_id: scope.request_id,
    method: incoming.method,
    path: loggedPath(incoming.url ?? ''),
    status: outgoing.statusCode,
    ms: Math.round(performance.now() - scope.started),
    ...(outgoing.writableFinished ? {} : { cut: true }),
  };
  log[outgoing.statusCode >= 500 ? 'error' : 'info'](line, 'request');
}

/** The path without its query, no longer than a line; what looks like an access code is not written down. */
export function loggedPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  return path.replace(/rom(-|%2d)?[a-z0-9]{8}/gi, 'ROM-…').slice(0, 200);
}
