import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Env } from '../env.ts';
import { trustedProxies } from './address.ts';
import { limitConnections, limitInFlight, limitPerAddress } from './connection-limit.ts';
import { answerMalformedRequests } from './unreadable.ts';

/** Timeout of a request's head in ms: it has a few hundred bytes, which fit into one packet. */
const HEAD_TIMEOUT_MS = 10_000;
/** Timeout of a whole request in ms, for pieces of uploads. Other bodies have a shorter one (`listener.ts`). */
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
          { ...LIMITS, handshakeTimeout: HEAD_TIMEOUT_MS, SNICallback: createSniCallback(contextOf) },
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

/** The server has no default certificate, so the handshake fails if there is no context. */
function createSniCallback(contextOf: (name: string) => SecureContext | null) {
  return (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
    const context = contextOf(name.toLowerCase());
    if (context === null) done(null);
    else done(null, context);
  };
}

/** Starts listening and returns the address. Rejects with the reason and a remedy. */
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
