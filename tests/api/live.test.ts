import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdminLiveMessage } from '../../src/contract/admin/dashboard.ts';
import { availableMemory, maxConnections, maxStreams } from '../../src/server/http/connection-limit.ts';
import { batchChanges } from '../../src/server/live/admin-channel.ts';
import { createStreams, type EventStream, openEventStream } from '../../src/server/live/streams.ts';
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
import { startServer, type TestServer } from '../support/server.ts';

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

type Message = { type: string; topics?: string[] };
const messagesOf = ({ text }: LiveChannel) =>
  [...text().matchAll(/^data: (.*)$/gm)].map(([, data = '']): Message => JSON.parse(data));
const open = (cookie: string, headers: Record<string, string> = {}) =>
  listenAt(`${server.url}/api/visit/events`, cookie, undefined, headers);
const newCode = () => buildCode(server, evening, { max_accessi: 50 });
const complete = async (cookie: string) => {
  await walkTo(server, cookie, 'closing', 2);
  ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
};

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
    expect(stream.text()).toBe('retry: 3000\n\nevent: ping\nid: 1\ndata: {"type":"ping"}\n\n');
    stream.close();
  });

  test('sends the contact to the holders of a revoked code and ends; other visits receive nothing', async () => {
    const token = await newCode();
    const holders = await Promise.all([1, 2, 3].map(async () => open(await enter(server, { token }))));
    const other = await open(await enter(server, evening));
    await revokeCode(server, evening, token);
    for (const holder of holders) {
      await holder.ended;
      const disconnection = { reason: 'token_revoked', contatto: '@anna' };
      const told = { type: 'disconnected', disconnection };
      expect(messagesOf(holder)).toEqual([{ type: 'ping' }, told, { type: 'bye' }]);
    }
    expect([messagesOf(other), other.response.destroyed]).toEqual([[{ type: 'ping' }], false]);
    other.close();
  });

  test('sends the reason to the holders of a deleted code; ends with the evening and is not opened again', async () => {
    const token = await newCode();
    const deleted = await open(await enter(server, { token }));
    const cookie = await enter(server, evening);
    const over = await open(cookie);
    await call(server.url, 'DELETE', `/admin/tokens/${token.id}`, undefined, { cookie: evening.admin });
    expect(await deleted.ended).toContain('"reason":"token_deleted"');
    await complete(cookie);
    await over.ended;
    expect(messagesOf(over).at(-1)).toEqual({ type: 'bye' });
    // 204: the page does not reconnect.
    await expect(open(cookie)).rejects.toThrow('answers 204');
    await expect(open('')).rejects.toThrow('answers 401');
  });
});

describe('administrator’s live channel', () => {
  const listen = (cookie: string) => listenAt(`${server.url}/api/admin/events`, cookie);
  const topics = (channel: LiveChannel) => messagesOf(channel).flatMap(({ topics }) => topics ?? []);
  /**
   * Creates codes until their change is received. A `resync` of the test before, if sent within the same second,
   * replaces the first change.
   */
  const expectCodeChange = (channel: LiveChannel) =>
    expect.poll(async () => (await newCode(), topics(channel)), { ...SOON, interval: 200 });
  const signIn = async (address: string) => {
    const body = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
    const headers = { 'x-forwarded-for': address };
    return ok(await call(server.url, 'POST', '/auth/sign-in/email', body, { headers })).cookie;
  };

  test('begins with a ping, sends what changed, and reports that messages may be lost', async () => {
    const channel = await listen(evening.admin);
    expect(messagesOf(channel)).toEqual([{ type: 'ping' }]);
    const head = await call(server.url, 'HEAD', '/admin/events', undefined, { cookie: evening.admin });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await expectCodeChange(channel).toEqual(expect.arrayContaining(['tokens', 'logs']));
    await server.deps.live.publish({ type: 'resync' });
    await expect.poll(() => messagesOf(channel), SOON).toContainEqual({ type: 'resync' });
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
  const unsent = () => new ServerResponse(new IncomingMessage(new Socket()));

  test('closes a stream when more than 64 kB wait for a client that reads nothing', () => {
    const outgoing = unsent();
    const stream = openEventStream(outgoing, {});
    const disconnection = { reason: 'token_revoked', contatto: 'x'.repeat(1_000) } as const;
    for (let sent = 0; sent < 50; sent += 1) stream.send({ type: 'disconnected', disconnection });
    expect(outgoing.destroyed).toBe(false);
    for (let sent = 0; sent < 10; sent += 1) stream.send({ type: 'disconnected', disconnection });
    expect(outgoing.destroyed).toBe(true);
    expect(outgoing.writableLength).toBeLessThan(66 * 1024);
  });

  test.each([
    ['cloudflare', true],
    ['tailscale', false],
    [undefined, false],
  ] as const)('ends a stream through %s with its first message: %s', (tunnel, ends) => {
    const outgoing = unsent();
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
      const streams = createStreams(6);
      const mine = Array.from({ length: 5 }, fakeStream);
      const forget = mine.map((stream) => streams.add('mine', stream));
      expect(streams.isFull()).toBe(false);
      streams.add('another', fakeStream());
      expect(streams.isFull()).toBe(true);
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
  });
});
