import { requireAdmin } from '../../auth/actor.ts';
import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded, type Handler, type HttpContext, requestContext } from '../../http/request-context.ts';
import { alreadySent } from '../../http/send.ts';
import type { AdminChannel } from '../../live/admin-channel.ts';
import type { SessionConnections } from '../../live/connections.ts';
import { type EventStream, openEventStream, type Streams } from '../../live/streams.ts';
import { isRefused } from '../../refused.ts';
import { requireVisit } from './guards.ts';

/** Serves the live channel of the cookie's visit. Nothing in the request can select another one. */
export function eventsEndpoint(connections: SessionConnections, streams: Streams): Endpoint {
  const answer: Handler = async (c) => {
    const { context } = requestContext(c);
    const found = await requireVisit(context);
    if (isRefused(found))
      return found.refused === 'NO_VISIT' ? errorResponse('NO_VISIT') : new Response(null, { status: 204 });
    if (c.req.method === 'HEAD') return streamHead();
    if (hasLeft(c)) return alreadySent();
    if (streams.isFull()) return errorResponse('UNAVAILABLE', { 'Retry-After': '30' });
    return stream(
      c,
      openEventStream(c.env.outgoing, context.deps.env),
      found.visitor.id,
      connections,
      streams,
    );
  };
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
    answer,
  };
}

export function adminEventsEndpoint(channel: AdminChannel): Endpoint {
  const answer = guarded(requireAdmin, async (c, { actor }, { headers }) => {
    if (c.req.method === 'HEAD') return streamHead();
    if (hasLeft(c)) return alreadySent();
    if (channel.isFull()) return errorResponse('UNAVAILABLE', { 'Retry-After': '30' });
    channel.open(actor, headers, c.env.outgoing);
    return alreadySent();
  });
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
    answer,
  };
}

/** A client that disconnected during the guard emits no further event: its stream would be stored forever. */
const hasLeft = (c: HttpContext) => c.env.outgoing.destroyed;

const streamHead = () => new Response(null, { headers: { 'Content-Type': 'text/event-stream' } });

function stream(
  { env: { outgoing } }: HttpContext,
  live: EventStream,
  session_id: string,
  connections: SessionConnections,
  streams: Streams,
): Response {
  const removeStream = streams.add(session_id, live);
  const release = connections.register(session_id, (disconnection) => {
    if (disconnection !== null) live.send({ type: 'disconnected', disconnection });
    live.end();
  });
  outgoing.once('close', () => {
    removeStream();
    release();
  });
  return alreadySent();
}
