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
 * Timeout of a request body in ms: even at 50 kbit/s, 64 kB take ten seconds. The connection is closed without a response, because a client
 * that retries on a bad network must not receive an error about its content.
 */
const BODY_TIMEOUT_MS = 15_000;

/**
 * Connects the app to Node's server. Sets the security headers first, so that every response has them. Logs one line when the response is
 * sent or the client disconnects. During a drain, each response closes its connection.
 */
export function createListener(
  app: Hono<HttpEnv>,
  { env, log, drain }: Pick<Deps, 'env' | 'log' | 'drain'>,
): RequestListener {
  const scopes = new WeakMap<object, RequestScope>();
  const headers = Object.entries(securityHeaders(env));
  // Request lines contain nothing to redact.
  const lines = log.child({}, { redact: [] });
  const answer = getRequestListener(
    (request, bindings) => {
      const { incoming, outgoing } = bindings as { incoming: IncomingMessage; outgoing: ServerResponse };
      if (!hasValidHost(incoming)) return errorResponse('BAD_INPUT');
      return app.fetch(request, { incoming, outgoing, scope: scopes.get(incoming) ?? newScope() });
    },
    { errorHandler: (error) => answerUnreadable(error, log) },
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
  const timer = setTimeout(() => void (incoming.complete || incoming.destroy()), BODY_TIMEOUT_MS);
  scope.bodyTimer = timer;
  incoming.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Answers requests that don't reach the app: with an unreadable URL or host. */
function answerUnreadable(error: unknown, log: Logger): Response {
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

/** Returns the path without its query, at most 200 characters, with access codes masked. */
export function loggedPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  return path.replace(/rom(-|%2d)?[a-z0-9]{8}/gi, 'ROM-…').slice(0, 200);
}
