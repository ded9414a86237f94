import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpContext, newScope } from '../../src/server/http/request-context.ts';

/** Returns the context of a request whose client disconnected before any reply. */
export async function abortedRequest(path: string, cookie = ''): Promise<HttpContext> {
  const received = Promise.withResolvers<{ incoming: IncomingMessage; outgoing: ServerResponse }>();
  const http = createServer((incoming, outgoing) => received.resolve({ incoming, outgoing }));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const client = get({ port, host: '127.0.0.1', path, headers: { cookie } }).on('error', () => undefined);
  const { incoming, outgoing } = await received.promise;
  client.destroy();
  await once(outgoing, 'close');
  http.close();
  const req = { method: 'GET', url: `http://127.0.0.1${path}`, raw: { headers: new Headers({ cookie }) } };
  // The part of a context that replies use.
  return { req, env: { incoming, outgoing, scope: newScope() } } as unknown as HttpContext;
}
