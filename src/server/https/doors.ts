import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { CertificateTrouble } from '../../contract/admin/site-address.ts';
import type { Deps } from '../deps.ts';
import { peerOf } from '../http/connection-limit.ts';
import { createListener, createNodeServer, listen, stopListening } from '../http/server.ts';
import { startInterval } from '../work/every.ts';
import type { CertificateManager } from './keeper.ts';
import { createPlainHttp } from './plain-http.routes.ts';
import { portTrouble } from './trouble.ts';

/** Interval of the renewal check and of attempts to listen on a blocked port, in ms. */
const CHECK_MS = 60_000;

type ListenerDeps = Pick<Deps, 'env' | 'log' | 'drain'>;

/**
 * Starts the HTTPS listener, an HTTP listener for ACME challenges and redirects, and certificate renewal. A blocked port is reported and
 * retried; it doesn't stop the start. Resolves after the first attempt; the returned function stops everything.
 */
export async function openListeners(
  deps: ListenerDeps,
  certificates: CertificateManager,
  listener: RequestListener,
): Promise<() => Promise<void>> {
  const { env, log, drain } = deps;
  const plain = createListener(createPlainHttp(env, certificates), {
    env: { ...env, listener: 'machine' },
    log,
    drain,
  });
  const listeners = [
    createPortListener(env.HTTP_PORT, createNodeServer(env, plain)),
    createPortListener(
      env.HTTPS_PORT,
      createNodeServer(env, listener, (name) => certificates.contextFor(name)),
    ),
  ];
  const open = async () => {
    for (const portListener of listeners) {
      const closed = await portListener.open(hostOf(env.HOST));
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

/** "Everywhere" includes IPv6: an authority connects there first if the name has an IPv6 address. */
const hostOf = (host: string) => (host === '0.0.0.0' ? undefined : host);

type PortListener = {
  open(host: string | undefined): Promise<CertificateTrouble | null>;
  close(): Promise<void>;
};

function createPortListener(port: number, server: ReturnType<typeof createNodeServer>): PortListener {
  // Connections without a completed handshake have no request, so a stop doesn't wait for them.
  const handshaking = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    handshaking.set(peer, socket);
    socket.once('close', () => handshaking.delete(peer));
  });
  server.on('secureConnection', (socket: Socket) => handshaking.delete(peerOf(socket)));
  return {
    open: (HOST) =>
      server.listening
        ? Promise.resolve(null)
        : listen(server, { HOST, PORT: port }).then(
            () => null,
            (error: unknown) => portTrouble(port, error instanceof Error ? error.cause : error),
          ),
    async close() {
      const closed = stopListening(server);
      if ('setSecureContext' in server) for (const socket of handshaking.values()) socket.destroy();
      await closed;
    },
  };
}
