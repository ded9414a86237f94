import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adminEventsEndpoint, eventsEndpoint } from '../../src/server/features/visit/events.routes.ts';
import { type AdminChannel, createAdminChannel } from '../../src/server/live/admin-channel.ts';
import type { Connections } from '../../src/server/live/connections.ts';
import { createStreams, type Streams } from '../../src/server/live/streams.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { left } from '../support/left.ts';
import { comeIn, configure, makeCode } from '../support/visits.ts';

const nobody = () => false;
let server: TestServer;
let reads: number;
beforeEach(async () => {
  server = await openTestServer(sqliteDatabase);
  reads = 0;
  const { auth } = server.deps;
  server.deps.auth = {
    ...auth,
    readSession: (...asked) => {
      reads += 1;
      return auth.readSession(...asked);
    },
  };
});
afterEach(() => server.close());

test('an administrator who left before the first word leaves no stream behind', async () => {
  const channel = createAdminChannel(server.deps);
  await adminEventsEndpoint(server.deps, nobody, channel).answer(await left('/api/admin/events'));
  expect(reads).toBe(1);
  // Whoever signs out, the sessions of all open streams are looked at: there is none.
  await server.deps.live.publish({ type: 'signed_out' });
  expect(reads).toBe(1);
  channel.close();
});

test('one who leaves later leaves none either', async () => {
  const channel = createAdminChannel(server.deps);
  const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
  channel.open(server.actor, new Headers(), outgoing);
  await server.deps.live.publish({ type: 'signed_out' });
  expect(reads).toBe(1);
  outgoing.emit('close');
  await server.deps.live.publish({ type: 'signed_out' });
  expect(reads).toBe(1);
  channel.close();
});

describe('where no further stream can be opened', () => {
  const full = { full: () => true } as unknown as AdminChannel & Streams;
  const nobodyHeld = {} as Connections;
  /** Somebody who is there, and asks. */
  const asking = async (method: string, cookie = '') => {
    const context = await left('/api/visit/events', cookie);
    Object.defineProperty(context.env.outgoing, 'destroyed', { value: false });
    Object.assign(context.req, { method });
    return context;
  };
  const told = async (answer: Response) => [
    answer.status,
    answer.headers.get('retry-after'),
    (await answer.text()).includes('UNAVAILABLE'),
  ];

  test('the administrator is told to come back in half a minute, and a HEAD is answered', async () => {
    const handler = adminEventsEndpoint(server.deps, nobody, full).answer;
    expect(await told(await handler(await asking('GET')))).toEqual([503, '30', true]);
    const head = await handler(await asking('HEAD'));
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  test('so is a visitor', async () => {
    await configure(server);
    const { secret } = await comeIn(server, (await makeCode(server)).token);
    const handler = eventsEndpoint(server.deps, nobody, nobodyHeld, full).answer;
    expect(await told(await handler(await asking('GET', `sid=${secret}`)))).toEqual([503, '30', true]);
    const head = await handler(await asking('HEAD', `sid=${secret}`));
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect((await handler(await asking('GET'))).status).toBe(401);
  });
});

test('a visitor who left before the first word leaves no stream behind', async () => {
  await configure(server);
  const { secret } = await comeIn(server, (await makeCode(server)).token);
  const held: string[] = [];
  const connections: Connections = {
    hold(session_id) {
      held.push(session_id);
      return () => undefined;
    },
    close: () => undefined,
  };
  const streams = createStreams();
  const context = await left('/api/visit/events', `sid=${secret}`);
  const answer = await eventsEndpoint(server.deps, nobody, connections, streams).answer(context);
  expect(answer.status).not.toBe(401);
  expect(held).toEqual([]);
  streams.close();
});

test('a visitor who leaves later leaves none either', async () => {
  await configure(server);
  const { secret, session_id } = await comeIn(server, (await makeCode(server)).token);
  const held: string[] = [];
  const connections: Connections = {
    hold(id) {
      held.push(id);
      return () => void held.splice(held.indexOf(id), 1);
    },
    close: () => undefined,
  };
  const streams = createStreams();
  const context = await left('/api/visit/events', `sid=${secret}`);
  const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
  Object.assign(context.env, { outgoing });
  await eventsEndpoint(server.deps, nobody, connections, streams).answer(context);
  expect([held, streams.count()]).toEqual([[session_id], 1]);
  outgoing.emit('close');
  expect([held, streams.count()]).toEqual([[], 0]);
  streams.close();
});
