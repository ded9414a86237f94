import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { metricEvents } from '../log.ts';
import { trustedProxies } from './address.ts';
import { limitConnections, limitInFlight, limitPerAddress } from './connection-limit.ts';
import { hasValidHost, securityHeaders } from './edge.ts';
import { errorReply, errorResponse, replyToResponse, toErrorReply } from './refusals.ts';
import { type HttpEnv, newScope, type RequestScope } from './request-context.ts';

/** Timeout of a request's head in ms: it has a few hundred bytes, which fit into one packet. */
const HEAD_TIMEOUT_MS = 10_000;
/** Timeout of a whole request in ms, for pieces of uploads. Other bodies have a shorter one (`BODY_TIMEOUT_MS`). */
const REQUEST_TIMEOUT_MS = 300_000;
/**
 * Timeout in ms for a response that the client doesn't read. The kernel buffers up to 4 MB and reports each third of it, which takes
 * minutes on a bad phone network.
 */
const STALL_TIMEOUT_MS = 300_000;
/** Time for running requests at a stop, in ms. Most need a hundredth of it; aborted clients retry, and others wait for the next start. */
const GRACE_MS = 1_000;

const LIMITS = {
  // The app refuses requests without a host, as all others, with its own body and headers.
  requireHostHeader: false,
  headersTimeout: HEAD_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};

/**
 * Creates Node's server with its limits: 10 s for a request's head, 5 minutes for a request, 5 minutes without progress for a response,
 * `maxConnections` in all, `MAX_PER_ADDRESS` from one address, and one running handler per connection.
 * @param contextOf enables HTTPS: returns the context for a server name; called for each connection, so that a new certificate needs no
 * restart. Null rejects the connection, as does a client without a server name.
 */
export function createNodeServer(
  env: Env,
  requestListener: RequestListener,
  contextOf?: (name: string) => SecureContext | null,
): Server {
  const listener = limitInFlight(requestListener);
  const server =
    contextOf === undefined
      ? createServer(LIMITS, listener)
      : createSecureServer(
          {
            ...LIMITS,
            handshakeTimeout: HEAD_TIMEOUT_MS,
            // The server has no default certificate, so the handshake fails if there is no context.
            SNICallback: (name, done) => done(null, contextOf(name.toLowerCase()) ?? undefined),
          },
          listener,
        );
  // Unknown expectations may be ignored; Node would refuse them with its own text and headers.
  server.on('checkExpectation', listener);
  server.timeout = STALL_TIMEOUT_MS;
  limitConnections(server);
  limitPerAddress(server, trustedProxies(env.TRUSTED_PROXIES));
  answerMalformedRequests(server, env);
  return server;
}

const LISTEN_REMEDY: Record<string, string> = {
  EADDRINUSE: 'Another program has that port: stop it, or set PORT to another one, for example 3001.',
  EACCES: 'This user may not have that port: set PORT to one above 1023.',
};

/** Starts listening and returns the address. Rejects with the reason and a remedy. */
export async function listen(
  server: Server,
  { HOST, PORT }: { HOST: string | undefined; PORT: number },
): Promise<AddressInfo> {
  try {
    await once(server.listen({ port: PORT, host: HOST }), 'listening');
    return server.address() as AddressInfo;
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const remedy = LISTEN_REMEDY[code] ?? 'Set HOST to an address of this machine, or leave it away.';
    throw new Error(`Can't listen on ${HOST ?? 'any address'}, port ${PORT} (${message}). ${remedy}`, {
      cause,
    });
  }
}

/** Closes the server: running requests have a second to finish, then their connections are closed. */
export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A persistent connection becomes idle after its last response and must be closed then.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

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
    {
      // Requests with an unreadable URL or host don't reach the app.
      errorHandler: (error) =>
        error instanceof RequestError
          ? errorResponse('BAD_INPUT')
          : replyToResponse(toErrorReply(error, { ...newScope(), log })),
    },
  );
  return (incoming, outgoing) => {
    const scope = newScope();
    scopes.set(incoming, scope);
    for (const [name, value] of headers) outgoing.setHeader(name, value);
    outgoing.setHeader('X-Request-Id', scope.request_id);
    if (drain.begun) outgoing.setHeader('Connection', 'close');
    limitBody(incoming, scope);
    outgoing.once('close', () => {
      const { method = '', url = '' } = incoming;
      const { statusCode: status, writableFinished } = outgoing;
      const { request_id, started, route = 'pages' } = scope;
      const ms = Math.round(performance.now() - started);
      const line = {
        request_id,
        method,
        path: loggedPath(url),
        status,
        ms,
        ...(!writableFinished && { cut: true }),
      };
      lines[status >= 500 ? 'error' : 'info'](line, 'request');
      metricEvents.request.emit({ method, route, status });
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

/** Returns the path without its query, at most 200 characters, with access codes masked. */
export function loggedPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  return path.replace(/rom(-|%2d)?[a-z0-9]{8}/gi, 'ROM-…').slice(0, 200);
}

/** Time in ms in which further input is read and discarded after the reply: closing at once could discard the reply. */
const LINGER_MS = 1_000;

/**
 * Answers malformed HTTP with 400 and all security headers, and closes the connection. Only closes it if an earlier request's response is
 * in progress or due.
 */
export function answerMalformedRequests(server: Server, env: Env): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  const answered = new WeakSet<Socket>();
  const secured = new WeakSet<Socket>();
  server.on('secureConnection', (socket: Socket) => void secured.add(socket));
  const remember: RequestListener = ({ socket }, outgoing) => void latest.set(socket, outgoing);
  server.on('request', remember).on('checkExpectation', remember);
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (answered.has(socket)) return;
    // TLS itself reports a failed handshake; there is no HTTP connection to answer.
    const isHandshake = socket instanceof TLSSocket && !secured.has(socket);
    const isGone = error.code === 'ECONNRESET' || !socket.writable;
    if (isHandshake || isGone || !canAnswer(socket, latest.get(socket))) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    socket.end(answerTo(error, env));
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(cut));
  });
}

/** Returns true if no response is due on the connection, except for the very request with the malformed body. */
function canAnswer(socket: Socket, latest: ServerResponse | undefined): boolean {
  if (latest === undefined || latest.writableFinished) return true;
  return latest.socket === socket && !latest.req.complete && !latest.headersSent;
}

function answerTo(error: NodeJS.ErrnoException, env: Env): string {
  const body = JSON.stringify(errorReply('BAD_INPUT').body);
  const headers = {
    ...securityHeaders(env),
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  return `HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
