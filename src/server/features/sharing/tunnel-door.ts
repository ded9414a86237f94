import type { IncomingMessage, RequestListener } from 'node:http';
import type { TunnelName } from '../../../contract/admin/site-address.ts';
import type { Deps } from '../../deps.ts';
import type { Env } from '../../env.ts';
import { createNodeServer, listen, stopListening } from '../../http/server.ts';
import type { TunnelListener } from './sharing.ts';

const LOOPBACK = ['127.0.0.1', '::1'];

/** Request listener for one address. */
type AddressListener = { listener: RequestListener; close(): void };

/**
 * Opens the local port that a tunnel leads to, reachable from this machine only. Rejects if it is unavailable.
 * The address comes from our own tunnel, never from a request.
 * @param port 0 takes any free one
 * @param answerUnder creates the listener for settings that have the address as PUBLIC_URL
 */
export async function openTunnelListener(
  { env }: Pick<Deps, 'env'>,
  port: number,
  answerUnder: (env: Env) => Promise<AddressListener>,
): Promise<TunnelListener> {
  const own: Env = { ...env, HOST: '127.0.0.1', PORT: port, TRUSTED_PROXIES: LOOPBACK };
  let answering: AddressListener | null = null;
  let tunnelName: TunnelName = 'tailscale';
  const server = createNodeServer(own, (incoming, outgoing) => {
    trustTunnelHeader(tunnelName, incoming);
    if (answering === null) outgoing.writeHead(503).end();
    else answering.listener(incoming, outgoing);
  });
  const bound = await listen(server, own);
  return {
    port: bound.port,
    async serve(address, tunnel) {
      const next = await answerUnder({ ...own, PUBLIC_URL: address, tunnel });
      answering?.close();
      [answering, tunnelName] = [next, tunnel];
    },
    async close() {
      answering?.close();
      await stopListening(server);
    },
  };
}

/**
 * Keeps only a client address that the tunnel wrote. Cloudflare sets its own header and overwrites a forged one.
 * Funnel appends to `X-Forwarded-For`, which is read from the right (http/address.ts).
 */
function trustTunnelHeader(tunnel: TunnelName, { headers }: IncomingMessage): void {
  if (tunnel === 'tailscale') return;
  const visitor = headers['cf-connecting-ip'];
  if (typeof visitor === 'string') headers['x-forwarded-for'] = visitor;
  else delete headers['x-forwarded-for'];
}
