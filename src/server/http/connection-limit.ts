import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { totalmem } from 'node:os';
import { MAX_WAITING_ATTEMPTS } from '../../domain/limits.ts';
import { type IsTrustedProxy, networkOf, trustedProxies } from './address.ts';

/** Maximum connections of one address; equals its queue for codes, so that the queue never overflows. Thousands remain for others. */
export const MAX_PER_ADDRESS = MAX_WAITING_ATTEMPTS;

/** Requests in flight per connection, including the one being answered. */
const MAX_IN_FLIGHT = 16;
/** One chunk of 64 kB can hold 1,000 requests, which pausing cannot stop: more waiting requests than this end the connection. */
const MAX_WAITING = 64;

/** Loopback addresses: a proxy on this machine connects from here, even if it isn't listed as trusted. */
const isLoopback = trustedProxies(['127.0.0.0/8', '::1']);

/**
 * Limits the connections of the server. At the limit, a new one replaces the one that has been without a request for longest (no complete
 * request yet, or idle after a response). If all are answering requests, the new one is closed.
 */
export function limitConnections(server: Pick<Server, 'on'>, maxOpen = maxConnections()): void {
  const open = new Map<string, Socket>();
  // Ordered by the time they became idle: the first has waited longest.
  const idle = new Map<string, Socket>();
  const forget = (peer: string, socket: Socket) => {
    if (open.get(peer) !== socket) return;
    open.delete(peer);
    idle.delete(peer);
  };
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    const [longest] = idle;
    if (open.size >= maxOpen) {
      (longest?.[1] ?? socket).destroy();
      if (longest === undefined) return;
      forget(...longest);
    }
    open.set(peer, socket);
    idle.set(peer, socket);
    socket.once('close', () => forget(peer, socket));
  });
  const markBusy = ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    const peer = peerOf(socket);
    const connection = open.get(peer);
    idle.delete(peer);
    outgoing.once('close', () => {
      if (connection !== undefined && open.get(peer) === connection) idle.set(peer, connection);
    });
  };
  server.on('request', markBusy);
  server.on('checkExpectation', markBusy);
}

/** Identifies a connection by its origin: with TLS, a request has another socket than its connection. */
export function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Closes further connections of an address that has `MAX_PER_ADDRESS`. Proxies serve many clients and are not counted. */
export function limitPerAddress(server: Pick<Server, 'on'>, isProxy: IsTrustedProxy): void {
  const openCounts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isLoopback(remoteAddress) || isProxy(remoteAddress)) return;
    const address = networkOf(remoteAddress);
    const count = openCounts.get(address) ?? 0;
    if (count >= MAX_PER_ADDRESS) {
      socket.destroy();
      return;
    }
    openCounts.set(address, count + 1);
    socket.once('close', () => {
      const remaining = (openCounts.get(address) ?? 1) - 1;
      if (remaining > 0) openCounts.set(address, remaining);
      else openCounts.delete(address);
    });
  });
}

/**
 * Runs one handler per connection at a time: HTTP/1.1 responses leave in order anyway. Reading pauses at 16 requests in flight. Destroys
 * the connection if the client takes no byte of a response for `server.timeout`; waiting for a handler is not limited.
 */
export function limitInFlight(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  const isFull = (socket: Socket) => (waiting.get(socket) ?? 0) >= MAX_IN_FLIGHT - 1;
  const pauseIfFull = (socket: Socket) => void (isFull(socket) && socket.pause());
  const begin: RequestListener = (incoming, outgoing) => {
    outgoing.on('timeout', destroyIfUnsent);
    listener(incoming, outgoing);
  };
  const queue: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming;
    // Node resumes the socket after each complete request.
    if (!waiting.has(socket)) socket.on('resume', () => pauseIfFull(socket));
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    pauseIfFull(socket);
    if (count > MAX_WAITING) socket.destroy();
    // Node assigns the socket to a response when the previous one has left.
    outgoing.once('socket', () => {
      if (isFull(socket)) socket.resume();
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      begin(incoming, outgoing);
    });
  };
  return (incoming, outgoing) => {
    if (incoming.socket.destroyed) return;
    if (outgoing.socket === null) queue(incoming, outgoing);
    else begin(incoming, outgoing);
  };
}

/** Node emits 'timeout' only if the client took no byte in that time. */
function destroyIfUnsent(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** Memory of an event stream and its socket, in bytes; measured: 13 to 17 KiB. */
const STREAM_BYTES = 17 * 1024;
/** Largest share of the memory that streams may use. */
const MEMORY_SHARE = 1 / 8;
const MIN_STREAMS = 2_000;
const MAX_STREAMS = 20_000;
/** Connections reserved for others: entries, page loads, the administrator. */
const OTHER_CONNECTIONS = 3_000;

/** Returns the memory available to this process, in bytes: that of the machine or the limit of its container. */
export function availableMemory(): number {
  const limitBytes = process.constrainedMemory();
  return limitBytes > 0 ? Math.min(limitBytes, totalmem()) : totalmem();
}

/**
 * Returns the maximum number of event streams of a node.
 * @param memory in bytes
 */
export function maxStreams(memory = availableMemory()): number {
  return Math.min(MAX_STREAMS, Math.max(MIN_STREAMS, Math.floor((memory * MEMORY_SHARE) / STREAM_BYTES)));
}

/**
 * Returns the maximum number of connections of a node, including its streams.
 * @param memory in bytes
 */
export function maxConnections(memory = availableMemory()): number {
  return maxStreams(memory) + OTHER_CONNECTIONS;
}
