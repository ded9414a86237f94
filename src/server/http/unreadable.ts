import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Env } from '../env.ts';
import { errorReply } from './refusals.ts';
import { securityHeaders } from './security-headers.ts';

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
    if (socket instanceof TLSSocket && !secured.has(socket)) {
      socket.destroy();
      return;
    }
    if (error.code === 'ECONNRESET' || !socket.writable || !canAnswer(socket, latest.get(socket))) {
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
