/**
 * What carries visitors to this machine, with the habits of a quick tunnel (public reports): a GET's event stream is held back until it is closed, a
 * connection is cut when no byte came for a while, a body of more than 100 MB is refused, and 200 requests go on at once.
 */
import { request } from 'node:http';
import { createServer } from 'node:https';

const MOST_BODY = 100 * 1024 ** 2;
const MOST_AT_ONCE = 200;
/** Cloudflare's 100 s, and as long as a test may set it, in ms. */
const SILENT_MS = 100_000;

/**
 * @param {{ key: string, cert: string, target: number, silentMs?: number, headers(visitor: string): Record<string, string>, holdsStreams: boolean }} options
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
    // Who the visitor is a test says in a header of its own: all its connections come from one address.
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

/** Nothing of it is seen before it has ended. */
function hold(answer, outgoing) {
  const chunks = [];
  answer.on('data', (chunk) => chunks.push(chunk));
  answer.on('close', () => {
    if (outgoing.destroyed) return;
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.end(Buffer.concat(chunks));
  });
}
