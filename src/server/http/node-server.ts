import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Env } from '../env.ts';
import { trustedProxies } from './address.ts';
import { limitConnections, limitInFlight, limitPerAddress } from './connection-limit.ts';
import { answerMalformedRequests } from './unreadable.ts';

/** How long the head of a request may take, in ms: it is a few hundred bytes, which fit into one packet. */
const HEAD_MS = 10_000;
/** How long a whole request may take, in ms: a piece of an upload is large. Others are cut much earlier (`listener.ts`). */
const REQUEST_MS = 300_000;
/**
 * How long a client may take nothing of a response, in ms. Progress shows late: the kernel buffers up to 4 MB and reports each third of it,
 * which takes a phone on a bad network minutes.
 */
const STALLED_MS = 300_000;
/**
 * How long requests under way may take to finish when the server stops, in ms: most take a hundredth of it, everybody else waits for the
 * next start meanwhile, and who is cut asks again.
 */
const GRACE_MS = 1_000;

const LIMITS = {
  // Without a host the app refuses, as it does everything else: with its own words and headers.
  requireHostHeader: false,
  headersTimeout: HEAD_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};

/**
 * Node's server with its limits: 10 s for the head of a request, 5 minutes for all of it, 5 minutes without progress for a response,
 * 5,000 connections in all, 300 from one address, and one running handler per connection.
 * @param contextOf makes it speak https: what a connection that asks for a name is served, asked each time, so that another certificate needs no
 * restart; null refuses it, as is whoever asks for no name
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
          { ...LIMITS, handshakeTimeout: HEAD_MS, SNICallback: byName(contextOf) },
          listener,
        );
  // An expectation that isn't known may be ignored; Node would refuse it in words and headers of its own.
  server.on('checkExpectation', listener);
  server.timeout = STALLED_MS;
  limitConnections(server);
  limitPerAddress(server, trustedProxies(env.TRUSTED_PROXIES));
  answerMalformedRequests(server, env);
  return server;
}

/** A server without a certificate of its own has nothing to offer where none is found: the handshake fails. */
function byName(contextOf: (name: string) => SecureContext | null) {
  return (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
    const context = contextOf(name.toLowerCase());
    if (context === null) done(null);
    else done(null, context);
  };
}

/** Starts listening; the address to reach it at. Rejects with the reason why not, and what to do. */
export function listen(
  server: Server,
  { HOST, PORT }: { HOST: string | undefined; PORT: number },
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `Can't listen on ${HOST ?? 'any address'}, port ${PORT} (${error.message}). ${remedyOf(error)}`,
          {
            cause: error,
          },
        ),
      );
    server.once('error', refused);
    server.listen({ port: PORT, host: HOST }, () => {
      server.off('error', refused);
      resolve(server.address() as AddressInfo);
    });
  });
}

function remedyOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return 'Another program has that port: stop it, or set PORT to another one, for example 3001.';
  if (code === 'EACCES') return 'This user may not have that port: set PORT to one above 1023.';
  return 'Set HOST to an address of this machine, or leave it away.';
}

/** Takes no more connections, lets requests under way finish for a second at most, then cuts what is left. */
export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection kept alive becomes idle when its last answer has left: it has to be closed then.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
