import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdminLiveMessage } from '../../src/contract/admin/dashboard.ts';
import type { LiveMessage } from '../../src/contract/visit.ts';
import { adminEventsEndpoint, eventsEndpoint } from '../../src/server/features/visit/events.ts';
import { availableMemory, maxConnections, maxStreams } from '../../src/server/http/connection-limit.ts';
import { type AdminChannel, batchChanges } from '../../src/server/live/admin-channel.ts';
import {
  createStreams,
  type EventStream,
  openEventStream,
  type Streams,
} from '../../src/server/live/streams.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { type LiveChannel, listenAt } from '../support/event-source.ts';
import { call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  walkTo,
} from '../support/http-evening.ts';
import { abortedRequest } from '../support/left.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { useServer } from '../support/suites.ts';
import { enterOrThrow, makeCode } from '../support/visits.ts';

const HOUR = 3_600_000;
/** Timeout for messages to the administrator, which are sent once a second. */
const SOON = { timeout: 5_000 };

let server: TestServer;
let evening: Evening;
let ahead = 0;
beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  server = await startServer({ now: () => new Date(Date.now() + ahead), env });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

type Message = { type: string; topics?: string[]; disconnection?: object };
/** Returns the messages received, each with its event, number and data. */
function messagesOf({ text }: LiveChannel): { event: string; id: string; data: Message }[] {
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return text()
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => ({
      event: field(block, 'event'),
      id: field(block, 'id'),
      data: JSON.parse(field(block, 'data')),
    }));
}
const events = (channel: LiveChannel) => messagesOf(channel).map(({ event }) => event);
const open = (cookie: string, headers: Record<string, string> = {}, { url } = server) =>
  listenAt(`${url}/api/visit/events`, cookie, undefined, headers);
const newCode = () => buildCode(server, evening, { max_accessi: 50 });
const complete = async (cookie: string) => {
  await walkTo(server, cookie, 'closing', 2);
  ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
};
const revokedCode = { reason: 'token_revoked', contatto: '@anna' };

describe('visitor’s live channel', () => {
  test('begins at once, unbuffered and uncompressed, for its own visit only', async () => {
    const stream = await open(await enter(server, evening), {
      'accept-encoding': 'gzip, br',
      'last-event-id': '9'.repeat(4_000),
      'x-session-id': 'other',
    });
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(stream.response.headers['content-encoding']).toBeUndefined();
    expect(stream.text()).toMatch(/^retry: 3000\n\n/);
    expect(messagesOf(stream)).toEqual([{ event: 'ping', id: '1', data: { type: 'ping' } }]);
    stream.close();
  });

  test('sends the contact to the holders of a revoked code and ends; other visits receive nothing', async () => {
    const token = await newCode();
    const holders = await Promise.all([1, 2, 3].map(async () => open(await enter(server, { token }))));
    const other = await open(await enter(server, evening));
    await revokeCode(server, evening, token);
    for (const holder of holders) {
      await holder.ended;
      const told = messagesOf(holder).filter(({ event }) => event === 'disconnected');
      expect(told.map(({ data }) => data)).toEqual([{ type: 'disconnected', disconnection: revokedCode }]);
    }
    await server.deps.live.publish({ type: 'resync' });
    expect([events(other), other.response.destroyed]).toEqual([['ping'], false]);
    other.close();
  });

  test('sends the reason to the holders of a deleted code, and ends with the evening', async () => {
    const token = await newCode();
    const deleted = await open(await enter(server, { token }));
    const cookie = await enter(server, evening);
    const over = await open(cookie);
    await call(server.url, 'DELETE', `/admin/tokens/${token.id}`, undefined, { cookie: evening.admin });
    expect(await deleted.ended).toContain('"reason":"token_deleted"');
    await complete(cookie);
    await over.ended;
    expect(events(over).at(-1)).toBe('bye');
  });

  test('recovers lost messages by reading the sessions again', async () => {
    const cookie = await enter(server, evening);
    const [stream, untouched] = await Promise.all([open(cookie), open(await enter(server, evening))]);
    const { session_id } = (await call(server.url, 'POST', '/visit/resume', {}, { cookie })).body;
    await server.deps.db
      .updateTable('active_sessions')
      .set({ is_active: false, disconnection_reason: 'token_revoked' })
      .where('id', '=', session_id)
      .execute();
    await server.deps.live.publish({ type: 'resync' });
    await stream.ended;
    const told = messagesOf(stream).find(({ event }) => event === 'disconnected');
    expect(told?.data.disconnection).toEqual(revokedCode);
    expect(untouched.response.destroyed).toBe(false);
    untouched.close();
  });

  test('refuses clients without a visit, and stops the reconnects of a visit that is over', async () => {
    for (const cookie of ['', evening.admin]) await expect(open(cookie)).rejects.toThrow('answers 401');
    const token = await newCode();
    const [cut, ended] = [await enter(server, { token }), await enter(server, evening)];
    await revokeCode(server, evening, token);
    await complete(ended);
    for (const cookie of [cut, ended]) await expect(open(cookie)).rejects.toThrow('answers 204');
  });
});

describe('administrator’s live channel', () => {
  const listen = (cookie: string) => listenAt(`${server.url}/api/admin/events`, cookie);
  const topics = (channel: LiveChannel) =>
    new Set(messagesOf(channel).flatMap(({ data }) => data.topics ?? []));
  /**
   * Creates codes until their change is received. A `resync` of the test before, if sent within the same second,
   * replaces the first change.
   */
  const expectCodeChange = (channel: LiveChannel) =>
    expect.poll(async () => (await newCode(), [...topics(channel)]), { ...SOON, interval: 200 });
  const signIn = async (address: string) => {
    const body = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
    const headers = { 'x-forwarded-for': address };
    return ok(await call(server.url, 'POST', '/auth/sign-in/email', body, { headers })).cookie;
  };

  test('is refused to every other client', async () => {
    for (const cookie of ['', await enter(server, evening)])
      await expect(listen(cookie)).rejects.toThrow('answers 401 application/json');
    const head = await call(server.url, 'HEAD', '/admin/events', undefined, { cookie: evening.admin });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  test('begins with a ping, sends what changed, and reports that messages may be lost', async () => {
    const channel = await listen(evening.admin);
    expect(messagesOf(channel)[0]?.data).toEqual({ type: 'ping' });
    await expectCodeChange(channel).toEqual(expect.arrayContaining(['tokens', 'logs']));
    await server.deps.live.publish({ type: 'resync' });
    await expect
      .poll(() => messagesOf(channel).map(({ data }) => data), SOON)
      .toContainEqual({ type: 'resync' });
    channel.close();
  });

  test('ends at once after its own sign-out only', async () => {
    const [leaving, staying] = await Promise.all([signIn('10.1.0.1'), signIn('10.1.0.2')]);
    const [ended, other] = await Promise.all([listen(leaving), listen(staying)]);
    ok(await call(server.url, 'POST', '/auth/sign-out', {}, { cookie: leaving }));
    // Sooner than the check every 15 s.
    await expect.poll(() => ended.text(), SOON).toContain('event: bye');
    await expectCodeChange(other).toContain('tokens');
    other.close();
    await expect(listen(leaving)).rejects.toThrow('answers 401');
  });

  test('ends when the session expires; an open channel is no activity', async () => {
    const channel = await listen(await signIn('10.1.0.3'));
    for (const hours of [23, 2]) {
      expect(channel.response.destroyed).toBe(false);
      ahead += hours * HOUR;
      await server.deps.live.publish({ type: 'signed_out' });
    }
    expect(await channel.ended).toContain('event: bye');
  });
});

describe('one node', () => {
  describe('event stream', () => {
    test('is closed when more than 64 kB wait for a client that reads nothing', async () => {
      const answering = Promise.withResolvers<ServerResponse>();
      const server = createServer((_incoming, outgoing) => answering.resolve(outgoing));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.on('error', () => undefined);
      client.pause();
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      const outgoing = await answering.promise;
      const stream = openEventStream(outgoing, {});
      const message: LiveMessage = {
        type: 'disconnected',
        disconnection: { reason: 'token_revoked', contatto: 'x'.repeat(1_000) },
      };
      let maxBuffered = 0;
      for (let sent = 0; sent < 50_000 && !outgoing.destroyed; sent += 1) {
        stream.send(message);
        maxBuffered = Math.max(maxBuffered, outgoing.writableLength);
        if (sent % 100 === 0) await new Promise(setImmediate);
      }
      expect(outgoing.destroyed).toBe(true);
      expect(maxBuffered).toBeLessThan(66 * 1024);
      client.destroy();
      server.close();
    });
  });

  test.each([
    ['cloudflare', true],
    ['tailscale', false],
    [undefined, false],
  ] as const)('ends a stream through %s with its first message: %s', (tunnel, ends) => {
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    const stream = openEventStream(outgoing, tunnel === undefined ? {} : { tunnel });
    expect(outgoing.writableEnded).toBe(false);
    stream.send({ type: 'changed', topics: ['logs'] });
    expect(outgoing.writableEnded).toBe(ends);
  });

  describe('streams of a node', () => {
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

    test('ends a stream half an hour after it was opened, and not before', () => {
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

    test('limits the streams of one session to five: a sixth ends the oldest', () => {
      const streams = createStreams();
      const mine = Array.from({ length: 5 }, fakeStream);
      const forget = mine.map((stream) => streams.add('mine', stream));
      streams.add('another', fakeStream());
      expect(mine.flatMap(({ said }) => said)).toEqual([]);
      const sixth = fakeStream();
      streams.add('mine', sixth);
      expect(mine.map(({ said }) => said)).toEqual([['end'], [], [], [], []]);
      expect(streams.count()).toBe(6);
      // The stream that was ended is removed only once.
      forget[0]?.();
      expect(streams.count()).toBe(6);
      forget[1]?.();
      forget[1]?.();
      expect(streams.count()).toBe(5);
      streams.close();
      expect([mine[1]?.said, mine[2]?.said]).toEqual([[], [expect.stringMatching(/^end [1-5]\d{3}$/)]]);
    });

    test('limits them by the memory, between 2,000 and 20,000, and always below the limit of connections', () => {
      const MB = 1024 ** 2;
      expect([256, 1_024, 8_192].map((size) => maxStreams(size * MB))).toEqual([2_000, 7_710, 20_000]);
      for (const size of [64, 65_536])
        expect(maxConnections(size * MB)).toBeGreaterThan(maxStreams(size * MB));
      expect(availableMemory()).toBeGreaterThan(64 * MB);
    });
  });

  describe('request for a stream', () => {
    const server = useServer(sqliteDatabase);
    test('is repeated after half a minute if no further stream can be opened; a HEAD is answered', async () => {
      const full = { isFull: () => true } as unknown as AdminChannel & Streams;
      const { secret } = await enterOrThrow(server, (await makeCode(server)).token);
      const connections = { register: () => () => undefined, close: () => undefined };
      const visitors = eventsEndpoint(connections, full).answer;
      const admins = adminEventsEndpoint(full).answer;
      /** Sends the request of a connected client. */
      const ask = async (handler: typeof visitors, method: string, cookie = '') => {
        const context = await abortedRequest('/api/visit/events', cookie);
        Object.defineProperty(context.env.outgoing, 'destroyed', { value: false });
        Object.assign(context.req, { method });
        Object.assign(context, { get: () => ({ deps: server.deps, isTrustedProxy: () => false }) });
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

  describe('changes for the administrator', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
    afterEach(() => vi.useRealTimers());

    const collecting = () => {
      const told: AdminLiveMessage[] = [];
      return { told, news: batchChanges((message) => told.push(message)) };
    };

    test('sends at once, then once a second, regardless of the number of heartbeats', () => {
      const { told, news } = collecting();
      for (let ms = 0; ms < 10_000; ms += 10) {
        news.onMessage({ type: 'changed', topics: ms === 4_510 ? ['answers', 'sessions'] : ['sessions'] });
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

    test('sends a resync instead of topics that may be incomplete', () => {
      const { told, news } = collecting();
      news.onMessage({ type: 'changed', topics: ['logs'] });
      news.onMessage({ type: 'changed', topics: ['sessions'] });
      news.onMessage({ type: 'resync' });
      vi.advanceTimersByTime(1_000);
      news.onMessage({ type: 'changed', topics: ['tokens'] });
      vi.advanceTimersByTime(1_000);
      expect(told).toEqual([
        { type: 'changed', topics: ['logs'] },
        { type: 'resync' },
        { type: 'changed', topics: ['tokens'] },
      ]);
    });

    test('sends nothing once closed', () => {
      const { told, news } = collecting();
      news.onMessage({ type: 'changed', topics: ['logs'] });
      news.onMessage({ type: 'changed', topics: ['sessions'] });
      news.close();
      vi.advanceTimersByTime(10_000);
      expect(told).toHaveLength(1);
    });
  });
});
