import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adminEventsHandler, eventsHandler } from '../../src/server/features/visit/events.routes.ts';
import { createAdminChannel } from '../../src/server/live/admin-channel.ts';
import type { Connections } from '../../src/server/live/connections.ts';
import { createStreams } from '../../src/server/live/streams.ts';
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
  await adminEventsHandler(server.deps, nobody, channel)(await left('/api/admin/events'));
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
  const answer = await eventsHandler(server.deps, nobody, connections, streams)(context);
  expect(answer.status).not.toBe(401);
  expect(held).toEqual([]);
  streams.close();
});
