import { requireAdmin } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import type { Trusts } from '../../http/address.ts';
import { refuse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Handler, HttpContext } from '../../http/scope.ts';
import { headOnly, sent } from '../../http/send.ts';
import type { AdminChannel } from '../../live/admin-channel.ts';
import type { Connections } from '../../live/connections.ts';
import { openEventStream } from '../../live/event-stream.ts';
import type { Streams } from '../../live/streams.ts';
import { isRefused } from '../../refused.ts';
import { requireVisit } from './guards.ts';

/**
 * `GET /visit/events`: the live channel of the visit whose cookie it is; nothing in the request can choose another.
 * A visit that is over gets 204, which tells the browser not to come back; none at all, 401.
 */
export function eventsHandler(
  deps: Deps,
  trusts: Trusts,
  connections: Connections,
  streams: Streams,
): Handler {
  return async (c) => {
    const { context } = requestContext(deps, trusts, c);
    const guarded = await requireVisit(context);
    if (isRefused(guarded))
      return guarded.refused === 'NO_VISIT' ? refuse('NO_VISIT') : new Response(null, { status: 204 });
    if (c.req.method === 'HEAD') return streamHead();
    if (hasLeft(c)) return sent();
    if (streams.full()) return refuse('UNAVAILABLE', { 'Retry-After': '30' });
    return stream(c, guarded.visitor.id, connections, streams);
  };
}

/** `GET /admin/events`: what changes behind the administrator's pages. */
export function adminEventsHandler(deps: Deps, trusts: Trusts, channel: AdminChannel): Handler {
  return async (c) => {
    const { context } = requestContext(deps, trusts, c);
    const actor = await requireAdmin(context);
    if (isRefused(actor)) return refuse(actor.refused);
    if (c.req.method === 'HEAD') return streamHead();
    if (hasLeft(c)) return sent();
    if (channel.full()) return refuse('UNAVAILABLE', { 'Retry-After': '30' });
    channel.open(actor, context.headers, c.env.outgoing);
    return sent();
  };
}

/** Whoever left while the guard was looking is not there to say goodbye: the stream would be kept for ever. */
const hasLeft = (c: HttpContext) => c.env.outgoing.destroyed;

const streamHead = () => headOnly({ status: 200, headers: { 'Content-Type': 'text/event-stream' } });

function stream(c: HttpContext, session_id: string, connections: Connections, streams: Streams): Response {
  const { outgoing } = c.env;
  const live = openEventStream(outgoing);
  const forget = streams.add(session_id, live);
  const letGo = connections.hold(session_id, (disconnection) => {
    if (disconnection !== null) live.send({ type: 'disconnected', disconnection });
    live.end();
  });
  outgoing.once('close', () => {
    forget();
    letGo();
  });
  return sent();
}
