import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { Hono } from 'hono';
import type { CertificateTrouble } from '../../contract/admin/site-address.ts';
import { certificateTexts } from '../../texts/certificate.ts';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { peerOf } from '../http/connection-limit.ts';
import { redirectTo } from '../http/edge.ts';
import { errorResponse } from '../http/refusals.ts';
import type { HttpEnv } from '../http/request-context.ts';
import { createListener, createNodeServer, listen, stopListening } from '../http/server.ts';
import { startInterval } from '../work/timers.ts';
import type { CertificateManager } from './keeper.ts';
import { portTrouble } from './rules.ts';

/** Interval of the renewal check and of attempts to listen on a blocked port, in ms. */
const CHECK_MS = 60_000;

/**
 * Starts the HTTPS listener, an HTTP listener for ACME challenges and redirects, and certificate renewal. A blocked port is reported and
 * retried; it doesn't stop the start. Resolves after the first attempt; the returned function stops everything.
 */
export async function openListeners(
  { env, log, drain }: Pick<Deps, 'env' | 'log' | 'drain'>,
  certificates: CertificateManager,
  listener: RequestListener,
): Promise<() => Promise<void>> {
  const machineEnv: Env = { ...env, listener: 'machine' };
  const plain = createListener(createPlainHttp(env, certificates), { env: machineEnv, log, drain });
  const secure = createNodeServer(env, listener, (name) => certificates.contextFor(name));
  const listeners = [
    createPortListener(env.HTTP_PORT, createNodeServer(env, plain)),
    createPortListener(env.HTTPS_PORT, secure),
  ];
  // "Everywhere" includes IPv6: an authority connects there first if the name has an IPv6 address.
  const host = env.HOST === '0.0.0.0' ? undefined : env.HOST;
  const open = async () => {
    for (const portListener of listeners) {
      const closed = await portListener.open(host);
      if (closed !== null) return closed;
    }
    return null;
  };
  let blocked = await open();
  const renewal = startInterval(
    CHECK_MS,
    async () => {
      await certificates.look(blocked);
      if (blocked !== null) blocked = await open();
    },
    (error) => log.error({ err: error }, 'the certificate could not be looked after'),
  );
  renewal.now();
  return async () => {
    certificates.stop();
    await Promise.all([renewal.stop(), ...listeners.map(({ close }) => close())]);
  };
}

function createPortListener(port: number, server: ReturnType<typeof createNodeServer>) {
  // Connections without a completed handshake have no request, so a stop doesn't wait for them.
  const handshaking = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    handshaking.set(peer, socket);
    socket.once('close', () => handshaking.delete(peer));
  });
  server.on('secureConnection', (socket: Socket) => handshaking.delete(peerOf(socket)));
  return {
    async open(HOST: string | undefined): Promise<CertificateTrouble | null> {
      try {
        if (!server.listening) await listen(server, { HOST, PORT: port });
        return null;
      } catch (error) {
        return portTrouble(port, error instanceof Error ? error.cause : error);
      }
    },
    async close(): Promise<void> {
      const closed = stopListening(server);
      if ('setSecureContext' in server) for (const socket of handshaking.values()) socket.destroy();
      await closed;
    },
  };
}

/** Path of challenge responses (RFC 8555, section 8.3). */
const CHALLENGE_PATH = '/.well-known/acme-challenge/:token';
/** `Retry-After` while there is no certificate, in seconds; an order usually takes a few seconds. */
const RETRY_AFTER_S = '60';

/** Creates the HTTP app of the names: challenge responses, otherwise a redirect to HTTPS or 503 until there is a certificate. */
function createPlainHttp(
  { PUBLIC_URL = '', HTTPS_DOMAIN = [] }: Env,
  certificates: CertificateManager,
): Hono<HttpEnv> {
  const plain = new Hono<HttpEnv>();
  plain.use(async (c, next) => {
    // Ports are ignored, because they may be forwarded.
    const { hostname } = new URL(`http://${c.env.incoming.headers.host}`);
    return HTTPS_DOMAIN.includes(hostname) ? next() : errorResponse('WRONG_HOST');
  });
  plain.get(CHALLENGE_PATH, (c) => {
    const answer = certificates.answerTo(c.req.param('token'));
    if (answer === null) return errorResponse('NOT_FOUND');
    return c.body(answer, 200, { 'Cache-Control': 'no-store' });
  });
  plain.get('*', (c) => {
    if (certificates.isGood()) return redirectTo(PUBLIC_URL, c);
    const headers = { 'Retry-After': RETRY_AFTER_S, 'Cache-Control': 'no-store' };
    return c.text(certificateTexts.notYet, 503, headers);
  });
  plain.all('*', () => errorResponse('METHOD_NOT_ALLOWED', { Allow: 'GET, HEAD' }));
  return plain;
}
