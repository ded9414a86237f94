import type { ServerResponse } from 'node:http';
import { requireAdmin } from '../../auth/actor.ts';
import type { Env } from '../../env.ts';
import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded, type HttpContext, requestContext } from '../../http/request-context.ts';
import { alreadySent } from '../../http/send.ts';
import type { AdminChannel } from '../../live/admin-channel.ts';
import type { SessionConnections } from '../../live/connections.ts';
import { openEventStream, type Streams } from '../../live/streams.ts';
import { isRefused } from '../../refused.ts';
import { requireVisit } from './visitor.ts';

/** Serves the live channel of the cookie's visit. Nothing in the request can select another one. */
export function eventsEndpoint(connections: SessionConnections, streams: Streams): Endpoint {
  return {
    method: 'GET',
    path: '/visit/events',
    summary: "The visit's live channel (server-sent events)",
    responseType: 'text/event-stream',
    operation: {
      description:
        'One JSON object per event: `ping` every 15 seconds, `disconnected` with its reason and contact, `bye` (reconnect).',
      responses: { 204: { description: 'The visit is over: do not reconnect' } },
    },
    refusals: ['NO_VISIT', 'UNAVAILABLE'],
    answer: async (c) => {
      const { context } = requestContext(c);
      const found = await requireVisit(context);
      if (isRefused(found))
        return found.refused === 'NO_VISIT' ? errorResponse('NO_VISIT') : new Response(null, { status: 204 });
      const { id } = found.visitor;
      return openChannel(c, streams, () =>
        openVisitStream(c.env.outgoing, { id, env: context.deps.env, connections, streams }),
      );
    },
  };
}

type VisitStream = { id: string; env: Env; connections: SessionConnections; streams: Streams };

/** Separate from the handler, so that an open stream doesn't keep its request and visit in memory. */
function openVisitStream(outgoing: ServerResponse, { id, env, connections, streams }: VisitStream): void {
  const live = openEventStream(outgoing, env);
  const removeStream = streams.add(id, live);
  const release = connections.register(id, (disconnection) =>
    live.end(undefined, disconnection === null ? undefined : { type: 'disconnected', disconnection }),
  );
  outgoing.once('close', () => {
    removeStream();
    release();
  });
}

export function adminEventsEndpoint(channel: AdminChannel): Endpoint {
  return {
    method: 'GET',
    path: '/admin/events',
    summary: "The live channel of the administrator's pages (server-sent events)",
    responseType: 'text/event-stream',
    refusals: ['SIGN_IN_REQUIRED', 'UNAVAILABLE'],
    operation: {
      description:
        'One JSON object per event: `ping` every 15 seconds, `changed` with its topics, `resync` (everything may be old), `bye` (reconnect).',
    },
    answer: guarded(requireAdmin, async (c, { actor }, { headers }) =>
      openChannel(c, channel, () => channel.open(actor, headers, c.env.outgoing)),
    ),
  };
}

function openChannel(c: HttpContext, channels: { isFull(): boolean }, open: () => void): Response {
  if (c.req.method === 'HEAD')
    return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });
  // A client that disconnected during the guard emits no further event: its stream would be stored forever.
  if (c.env.outgoing.destroyed) return alreadySent();
  if (channels.isFull()) return errorResponse('UNAVAILABLE', { 'Retry-After': '30' });
  open();
  return alreadySent();
}
