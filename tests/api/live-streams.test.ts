import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdminLiveMessage } from '../../src/contract/admin/live.ts';
import type { LiveMessage } from '../../src/contract/visit.ts';
import { connectionsFor, memoryGiven, streamsFor } from '../../src/server/capacity.ts';
import { adminEventsEndpoint, eventsEndpoint } from '../../src/server/features/visit/events.routes.ts';
import { type AdminChannel, createAdminChannel } from '../../src/server/live/admin-channel.ts';
import { collectNews } from '../../src/server/live/admin-news.ts';
import type { Connections } from '../../src/server/live/connections.ts';
import { type EventStream, openEventStream } from '../../src/server/live/event-stream.ts';
import { createStreams, type Streams } from '../../src/server/live/streams.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { left } from '../support/left.ts';
import { useServer } from '../support/suites.ts';
import { comeIn, makeCode } from '../support/visits.ts';

describe('a stream', () => {
  test('nobody reads is cut when more than 64 kB wait for its client, however much is sent', async () => {
    const answering = Promise.withResolvers<ServerResponse>();
    const server = createServer((_incoming, outgoing) => answering.resolve(outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const outgoing = await answering.promise;
    const stream = openEventStream(outgoing);
    const message: LiveMessage = {
      type: 'disconnected',
      disconnection: { reason: 'token_revoked', contatto: 'x'.repeat(1_000) },
    };
    let most = 0;
    for (let sent = 0; sent < 50_000 && !outgoing.destroyed; sent += 1) {
      stream.send(message);
      most = Math.max(most, outgoing.writableLength);
      if (sent % 100 === 0) await new Promise(setImmediate);
    }
    expect(outgoing.destroyed).toBe(true);
    expect(most).toBeLessThan(66 * 1024);
    client.destroy();
    server.close();
  });

  test('numbers what it says, and ends with a goodbye and when to come back; nothing follows', () => {
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    let text = '';
    outgoing.write = (chunk: string) => {
      text += chunk;
      return true;
    };
    const stream = openEventStream(outgoing);
    stream.send({ type: 'ping' });
    stream.end(1_234);
    stream.send({ type: 'ping' });
    const said = (type: string, id: number) => `event: ${type}\nid: ${id}\ndata: {"type":"${type}"}\n\n`;
    expect(text).toBe(`retry: 3000\n\n${said('ping', 1)}${said('ping', 2)}retry: 1234\n${said('bye', 3)}`);
    expect([outgoing.statusCode, outgoing.writableEnded]).toEqual([200, true]);
  });
});

describe('the streams of a node', () => {
  afterEach(() => vi.useRealTimers());

  function fakeStream(): EventStream & { said: string[] } {
    const said: string[] = [];
    return {
      said,
      opened: performance.now(),
      send: (message) => void said.push(message.type),
      end: (retryMs) => void said.push(`end ${retryMs ?? ''}`.trim()),
    };
  }

  test('are pinged every 15 seconds and ended after half an hour', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const streams = createStreams();
    const stream = fakeStream();
    streams.add('one', stream);
    vi.advanceTimersByTime(45_000);
    expect(stream.said).toEqual(['ping', 'ping', 'ping']);
    vi.advanceTimersByTime(30 * 60_000);
    expect(stream.said.find((said) => said.startsWith('end'))).toMatch(/^end [1-5]\d{3}$/);
    streams.close();
  });

  test('are ended half an hour after they were opened, and not before', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const streams = createStreams();
    vi.advanceTimersByTime(45 * 60_000);
    const stream = fakeStream();
    streams.add('one', stream);
    vi.advanceTimersByTime(30 * 60_000);
    expect(new Set(stream.said)).toEqual(new Set(['ping']));
    expect(stream.said).toHaveLength(120);
    vi.advanceTimersByTime(15_000);
    expect(stream.said.at(-1)).toMatch(/^end [1-5]\d{3}$/);
    streams.close();
    const after = stream.said.length;
    vi.advanceTimersByTime(60_000);
    expect(stream.said).toHaveLength(after);
  });

  test('of one session are five at most, whatever others have: a sixth ends the oldest', () => {
    const streams = createStreams();
    const mine = Array.from({ length: 5 }, fakeStream);
    const forget = mine.map((stream) => streams.add('mine', stream));
    streams.add('another', fakeStream());
    expect(mine.flatMap(({ said }) => said)).toEqual([]);
    const sixth = fakeStream();
    streams.add('mine', sixth);
    expect(mine.map(({ said }) => said)).toEqual([['end'], [], [], [], []]);
    expect(streams.count()).toBe(6);
    // The one that was ended is forgotten once.
    forget[0]?.();
    expect(streams.count()).toBe(6);
    forget[1]?.();
    forget[1]?.();
    expect(streams.count()).toBe(5);
    streams.close();
    expect([mine[1]?.said, mine[2]?.said]).toEqual([[], [expect.stringMatching(/^end [1-5]\d{3}$/)]]);
  });

  test('are no more than there is room for', () => {
    const streams = createStreams(2_000);
    const forget = Array.from({ length: 2_000 }, (_, i) => streams.add(`session ${i}`, fakeStream()));
    expect(streams.full()).toBe(true);
    forget[7]?.();
    expect(streams.full()).toBe(false);
    streams.close();
  });

  test('follow the memory, between 2,000 and 20,000, and every one has a place among the connections', () => {
    const MB = 1024 ** 2;
    expect([256, 512, 1_024, 2_048, 8_192].map((size) => streamsFor(size * MB))).toEqual([
      2_000, 3_855, 7_710, 15_420, 20_000,
    ]);
    for (const size of [64, 1_024, 65_536])
      expect(connectionsFor(size * MB)).toBeGreaterThan(streamsFor(size * MB));
    expect(memoryGiven()).toBeGreaterThan(64 * MB);
    expect(memoryGiven()).toBeLessThan(2 ** 50);
  });
});

describe('who left', () => {
  const server = useServer(sqliteDatabase);
  const nobody = () => false;
  let reads: number;
  let held: string[];
  let connections: Connections;
  beforeEach(() => {
    reads = 0;
    held = [];
    const { auth } = server.deps;
    server.deps.auth = {
      ...auth,
      readSession: (...asked) => {
        reads += 1;
        return auth.readSession(...asked);
      },
    };
    connections = {
      hold(id) {
        held.push(id);
        return () => void held.splice(held.indexOf(id), 1);
      },
      close: () => undefined,
    };
  });
  const enter = async () => comeIn(server, (await makeCode(server)).token);
  /** The sessions of all open streams are looked at. */
  const signedOut = () => server.deps.live.publish({ type: 'signed_out' });

  test('as an administrator leaves no stream behind, before the first word or later', async () => {
    const channel = createAdminChannel(server.deps);
    await adminEventsEndpoint(server.deps, nobody, channel).answer(await left('/api/admin/events'));
    await signedOut();
    expect(reads).toBe(1);
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    channel.open(server.actor, new Headers(), outgoing);
    await signedOut();
    expect(reads).toBe(2);
    outgoing.emit('close');
    await signedOut();
    expect(reads).toBe(2);
    channel.close();
  });

  test('as a visitor leaves none either', async () => {
    const { secret, session_id } = await enter();
    const streams = createStreams();
    const endpoint = eventsEndpoint(server.deps, nobody, connections, streams);
    const answer = await endpoint.answer(await left('/api/visit/events', `sid=${secret}`));
    expect([answer.status === 401, held, streams.count()]).toEqual([false, [], 0]);
    const context = await left('/api/visit/events', `sid=${secret}`);
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    Object.assign(context.env, { outgoing });
    await endpoint.answer(context);
    expect([held, streams.count()]).toEqual([[session_id], 1]);
    outgoing.emit('close');
    expect([held, streams.count()]).toEqual([[], 0]);
    streams.close();
  });

  test('comes back in half a minute where no further stream can be opened; a HEAD is answered', async () => {
    const full = { full: () => true } as unknown as AdminChannel & Streams;
    const { secret } = await enter();
    const visitors = eventsEndpoint(server.deps, nobody, connections, full).answer;
    const admins = adminEventsEndpoint(server.deps, nobody, full).answer;
    /** Somebody who is there, and asks. */
    const ask = async (handler: typeof visitors, method: string, cookie = '') => {
      const context = await left('/api/visit/events', cookie);
      Object.defineProperty(context.env.outgoing, 'destroyed', { value: false });
      Object.assign(context.req, { method });
      return handler(context);
    };
    for (const [handler, cookie] of [
      [admins, ''],
      [visitors, `sid=${secret}`],
    ] as const) {
      const refused = await ask(handler, 'GET', cookie);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
      expect(await refused.text()).toContain('UNAVAILABLE');
      const head = await ask(handler, 'HEAD', cookie);
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
    expect((await ask(visitors, 'GET')).status).toBe(401);
  });
});

describe('news', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  const collecting = () => {
    const told: AdminLiveMessage[] = [];
    return { told, news: collectNews((message) => told.push(message)) };
  };

  test('is told at once, then once a second, whatever the number of heartbeats', () => {
    const { told, news } = collecting();
    for (let ms = 0; ms < 10_000; ms += 10) {
      news.hear({ type: 'changed', topics: ms === 4_510 ? ['answers', 'sessions'] : ['sessions'] });
      vi.advanceTimersByTime(10);
    }
    expect(told).toHaveLength(11);
    expect(told[0]).toEqual({ type: 'changed', topics: ['sessions'] });
    expect(
      told.filter((message) => message.type === 'changed' && message.topics.includes('answers')),
    ).toEqual([{ type: 'changed', topics: ['sessions', 'answers'] }]);
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(11);
  });

  test('that may be incomplete says so in place of its topics', () => {
    const { told, news } = collecting();
    news.hear({ type: 'changed', topics: ['logs'] });
    news.hear({ type: 'changed', topics: ['sessions'] });
    news.hear({ type: 'resync' });
    vi.advanceTimersByTime(1_000);
    news.hear({ type: 'changed', topics: ['tokens'] });
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([
      { type: 'changed', topics: ['logs'] },
      { type: 'resync' },
      { type: 'changed', topics: ['tokens'] },
    ]);
  });

  test('is not told once closed', () => {
    const { told, news } = collecting();
    news.hear({ type: 'changed', topics: ['logs'] });
    news.hear({ type: 'changed', topics: ['sessions'] });
    news.close();
    vi.advanceTimersByTime(10_000);
    expect(told).toHaveLength(1);
  });
});
