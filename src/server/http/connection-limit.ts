import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { connectionsFor, memoryGiven } from '../capacity.ts';
import { type Trusts, trustedProxies } from './address.ts';
import { networkOf } from './network.ts';

/** Connections that one address may hold: one of the thousands there are for all must be left for everybody else. */
export const MAX_PER_ADDRESS = 200;

/** The machine itself: a proxy beside the server speaks from here, whether it was named as trusted or not. */
const isLoopback = trustedProxies(['127.0.0.0/8', '::1']);

/**
 * When all places are taken, whoever comes gets that of the connection that has been without a request for longest (nothing asked yet, the
 * head of a request not whole, or kept alive); where every one of them is being answered, whoever comes is turned away.
 */
export function limitConnections(server: Pick<Server, 'on'>, most = connectionsFor(memoryGiven())): void {
  const open = new Map<string, Socket>();
  // It keeps the order in which they came in: the first has waited longest.
  const unasked = new Map<string, Socket>();
  const forget = (peer: string, socket: Socket) => {
    if (open.get(peer) !== socket) return;
    open.delete(peer);
    unasked.delete(peer);
  };
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    const [longest] = unasked;
    if (open.size >= most) {
      (longest?.[1] ?? socket).destroy();
      if (longest === undefined) return;
      forget(...longest);
    }
    open.set(peer, socket);
    unasked.set(peer, socket);
    socket.once('close', () => forget(peer, socket));
  });
  const asked = ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    const peer = peerOf(socket);
    const connection = open.get(peer);
    unasked.delete(peer);
    outgoing.once('close', () => {
      if (connection !== undefined && open.get(peer) === connection) unasked.set(peer, connection);
    });
  };
  server.on('request', asked);
  server.on('checkExpectation', asked);
}

/** A connection by where it comes from: with TLS a request has another socket than the connection it came by. */
export function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Turns away further connections of an address that holds 200 already. Proxies speak for many and are not counted. */
export function limitPerAddress(server: Pick<Server, 'on'>, isProxy: Trusts): void {
  const held = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    if (isLoopback(address) || address === LOOPBACK_NETWORK || isProxy(socket.remoteAddress ?? '')) return;
    const count = held.get(address) ?? 0;
    if (count >= MAX_PER_ADDRESS) {
      socket.destroy();
      return;
    }
    held.set(address, count + 1);
    socket.once('close', () => {
      const left = (held.get(address) ?? 1) - 1;
      if (left > 0) held.set(address, left);
      else held.delete(address);
    });
  });
}

/** `::1` as its network is written. */
const LOOPBACK_NETWORK = networkOf('::1');
