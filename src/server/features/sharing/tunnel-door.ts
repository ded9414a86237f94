import type { IncomingMessage, RequestListener } from 'node:http';
import type { TunnelName } from '../../../contract/admin/sharing.ts';
import type { Deps } from '../../deps.ts';
import type { Env } from '../../env.ts';
import { createNodeServer, listen, stopListening } from '../../http/node-server.ts';
import type { TunnelDoor } from './sharing.ts';

const LOOPBACK = ['127.0.0.1', '::1'];

/** What answers under an address. */
type Answering = { listener: RequestListener; close(): void };

/**
 * Opens the port that a tunnel leads to: only this machine reaches it. The address is one that our own tunnel gave, never one that a request names.
 * @param port 0: any that is free. Rejects where it can't be had.
 * @param answerUnder what answers under an address, by settings that have it for PUBLIC_URL
 */
export async function openTunnelDoor(
  { env }: Pick<Deps, 'env'>,
  port: number,
  answerUnder: (env: Env) => Promise<Answering>,
): Promise<TunnelDoor> {
  const own: Env = { ...env, HOST: '127.0.0.1', PORT: port, TRUSTED_PROXIES: LOOPBACK };
  let answering: Answering | null = null;
  let carrier: TunnelName = 'tailscale';
  const server = createNodeServer(own, (incoming, outgoing) => {
    believeOnly(carrier, incoming);
    if (answering === null) outgoing.writeHead(503).end();
    else answering.listener(incoming, outgoing);
  });
  const bound = await listen(server, own);
  return {
    port: bound.port,
    async serve(address, tunnel) {
      const next = await answerUnder({ ...own, PUBLIC_URL: address, tunnel });
      answering?.close();
      [answering, carrier] = [next, tunnel];
    },
    async close() {
      answering?.close();
      await stopListening(server);
    },
  };
}

/**
 * Whose address is believed: Cloudflare writes the visitor's into a header of its own, over what the visitor wrote there; Funnel adds it to the end of
 * `X-Forwarded-For`, which the walk from the right finds (http/address.ts).
 */
function believeOnly(tunnel: TunnelName, { headers }: IncomingMessage): void {
  if (tunnel === 'tailscale') return;
  const visitor = headers['cf-connecting-ip'];
  if (typeof visitor === 'string') headers['x-forwarded-for'] = visitor;
  else delete headers['x-forwarded-for'];
}
