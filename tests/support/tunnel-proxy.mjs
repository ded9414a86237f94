/**
 * Carries visitors to this machine like a quick tunnel (public reports): it buffers a GET's event stream until closed,
 * cuts silent connections, refuses bodies over 100 MB, and allows 200 concurrent requests.
 */
import { request } from 'node:http';
import { createServer } from 'node:https';

const MOST_BODY = 100 * 1024 ** 2;
const MOST_AT_ONCE = 200;
/** Cloudflare's timeout of silent connections in ms; a test may set a shorter one. */
const SILENT_MS = 100_000;

/**
 * @param {{ key: string, cert: string, target: number, silentMs?: number,
 *   headers(visitor: string): Record<string, string>, holdsStreams: boolean }} options
 * @returns {Promise<import('node:https').Server>} listening on a free port of 127.0.0.1
 */
export async function startTunnelProxy({ key, cert, target, silentMs = SILENT_MS, headers, holdsStreams }) {
  let underWay = 0;
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const refused =
      Number(incoming.headers['content-length'] ?? 0) > MOST_BODY
        ? 413
        : underWay >= MOST_AT_ONCE
          ? 429
          : null;
    if (refused !== null) return void outgoing.writeHead(refused, { connection: 'close' }).end('Error');
    underWay += 1;
    outgoing.once('close', () => {
      underWay -= 1;
      upstream.destroy();
    });
    // A test sets the visitor in a header, because all its connections come from one address.
    const visitor = String(incoming.headers['x-test-visitor'] ?? incoming.socket.remoteAddress);
    const upstream = request(
      {
        host: '127.0.0.1',
        port: target,
        method: incoming.method,
        path: incoming.url,
        headers: {
          ...incoming.headers,
          'x-forwarded-proto': 'https',
          ...headers(visitor, incoming.headers['x-forwarded-for']),
        },
      },
      (answer) => {
        const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
        if (holdsStreams && isStream && incoming.method === 'GET') return hold(answer, outgoing);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.setTimeout(silentMs, () => upstream.destroy());
    upstream.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end('Bad gateway');
    });
    incoming.pipe(upstream);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return server;
}

/** Buffers a reply until it has ended. */
function hold(answer, outgoing) {
  const chunks = [];
  answer.on('data', (chunk) => chunks.push(chunk));
  answer.on('close', () => {
    if (outgoing.destroyed) return;
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.end(Buffer.concat(chunks));
  });
}
